import Glibc
import LinuxKernel
import Mainspring
import MainspringTesting
import MainspringTestingMainActor

/// What tests of the main actor do on virtual time, told line by line. The first argument names the scenario.
@main
struct VirtualMainProgram {
  static func main() async throws {
    // By SIGALRM, unless it ends by itself before; who started it may have blocked that.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    alarm(60)
    switch CommandLine.arguments.dropFirst().first {
    case "sleeps": try await SleepScenario.run()
    case "everything": try await EverythingScenario.run()
    case "turns": try await TurnScenario.run()
    case "stuck": try await StuckScenario.run()
    case "apart": try await ApartScenario.run()
    default: exit(2)
    }
  }
}

/// Prints a line at once, and where it was not told on the main thread, says so.
func tell(_ line: String) {
  let bytes = Array((line + (ThreadIdentity.isMain ? "" : " (elsewhere)") + "\n").utf8)
  // SAFETY: writes the array's bytes.
  _ = unsafe write(STDOUT_FILENO, bytes, bytes.count)
}
