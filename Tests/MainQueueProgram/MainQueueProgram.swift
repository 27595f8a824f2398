import Glibc

/// What the main loop and the main dispatch queue do together, on the main thread, where tests cannot be; told line by
/// line. The one argument names the scenario.
@main
struct MainQueueProgram {
  @MainActor
  static func main() throws {
    // Ends by itself if the test does not end it.
    alarm(60)
    switch CommandLine.arguments.dropFirst().first {
    case "served": try ServedScenario.everything()
    case "actors": try ServedScenario.mainActor()
    case "snapshot": try TurnScenario.snapshot()
    case "fair": try TurnScenario.fairness()
    case "peek": try TurnScenario.peek()
    case "handled": try TurnScenario.handled()
    case "nested-in-block": try NestedScenario.inABlock()
    case "nested-in-timer": try NestedScenario.inATimer()
    case "modes": try NestedScenario.otherModes()
    case "ended": try EndScenario.invalidated()
    case "hosted": try HostScenario.turns()
    case "hosted-and-served": try HostScenario.served()
    case "served-elsewhere": try MisuseScenario.elsewhere()
    case "after-dispatch-main": MisuseScenario.afterDispatchMain()
    case "served-while-hosted": try MisuseScenario.whileHosted()
    default: exit(2)
    }
  }
}

/// Prints a line at once: a program that traps prints nothing more.
func tell(_ line: String) {
  print(line)
  fflush(nil)
}
