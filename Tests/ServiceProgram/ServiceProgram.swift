import Glibc
import Mainspring
import MainspringService

/// A service, for tests to start and to end. The one argument says what it does when it is asked to.
@main
struct ServiceProgram {
  @MainActor
  static func main() throws {
    // Ends by itself if the test does not end it.
    alarm(60)
    RunLoop.SignalSource.block(Service.signals + [SIGHUP])
    let scenario = CommandLine.arguments.dropFirst().first
    let service = try Service(
      on: RunLoop.main.base, grace: scenario == "never" ? .milliseconds(50) : .seconds(50),
      onEnd: { service, signal in
        tell("asked to end by \(signal), ending: \(service.isEnding)")
        if scenario == "orderly" || scenario == "unheard" { service.loop.stop(.all) }
      },
      onReload: { _ in tell("reloads") })
    if scenario == "unheard" { unheard(service) }
    service.ready(status: "waits for\nwork")
    tell("ready")
    let result = RunLoop.main.run(in: .default, whenEmpty: .wait)
    tell("ended: \(result.reason)")
    withExtendedLifetime(service) {}
  }
}

/// Tells the supervisor more than its socket holds.
@MainActor
private func unheard(_ service: Service) {
  while service.supervisor?.tell(.status("of no interest")) == true {}
  tell("has no room")
}

private func tell(_ line: String) {
  print(line)
  fflush(nil)
}
