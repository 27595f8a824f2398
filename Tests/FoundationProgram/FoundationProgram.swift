import Glibc

/// What Foundation and the loop do for each other, on threads of a program of their own; told line by line. The one
/// argument names the scenario.
@main
struct FoundationProgram {
  @MainActor
  static func main() throws {
    // Ends by itself if the test does not end it.
    alarm(60)
    switch CommandLine.arguments.dropFirst().first {
    case "timers": try GuestScenario.timers()
    case "queued": try GuestScenario.queued()
    case "files": try GuestScenario.files()
    case "wakes": try GuestScenario.wakes()
    case "sources": try GuestScenario.sources()
    case "modes": try GuestScenario.modes()
    case "idle": try GuestScenario.idle()
    case "thread": try ThreadScenario.run()
    case "ended": try GuestScenario.ended()
    case "session": try SessionScenario.run()
    case "process": try ProcessScenario.run()
    case "hosted": try HostScenario.everything()
    case "hosted-thread": try HostScenario.onAThread()
    case "hosted-nested": try HostScenario.nested()
    case "host-and-guest": try MisuseScenario.both()
    case "guest-twice": try MisuseScenario.twice()
    default: exit(2)
    }
  }
}
