import Glibc
import LinuxKernel
import Mainspring
import MainspringMainExecutor

/// What a program does whose main actor runs on the main loop, told line by line. The first argument names the scenario.
@main
struct MainActorProgram {
  static func main() async throws {
    // By SIGALRM, unless it ends by itself before; who started it may have blocked that.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    alarm(60)
    switch CommandLine.arguments.dropFirst().first {
    case "service": try await ServiceScenario.run()
    case "sleeps": try await SleepScenario.run()
    case "cancelled-sleeps": await SleepScenario.cancelled()
    case "hops": await HopScenario.run()
    case "nested": await NestedScenario.run()
    case "run-inside": NestedScenario.runBeforeTheFirstSuspension()
    case "stops": await NestedScenario.stopped()
    case "main-queue": try await MainQueueScenario.run()
    case "main-returns": await EndScenario.returning()
    case "main-throws": try await EndScenario.throwing()
    case "main-exits": await EndScenario.exiting()
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
