import CommandLineOptions
import Glibc

/// What the monitor costs the loops that it watches: the time of a pass, its allocations, and wake-ups while all wait.
@main struct CostCommand {
  static func main() {
    StandardStream.guardDescriptors()
    do {
      let goals = Self.goals(try PassCost.measure(), try IdleWakeUps.measure())
      for goal in goals { StandardStream.output.write("\(goal.isMet ? "✓" : "✗") \(goal.text)\n") }
      exit(goals.allSatisfy(\.isMet) ? ExitCode.success.rawValue : ExitCode.failure.rawValue)
    } catch {
      StandardStream.error.write("truth-cost: \(error)\n")
      exit(ExitCode.failure.rawValue)
    }
  }

  private static func goals(
    _ pass: PassCost, _ idle: (count: Int, seconds: Int)
  ) -> [(isMet: Bool, text: String)] {
    [
      (pass.busy.difference <= 10, "a watched pass: \(text(pass.busy)), at most 10 ns more"),
      (true, "one that waits: \(text(pass.waiting)); no goal"),
      (pass.allocations <= 0, "allocations of watched passes: \(max(0, pass.allocations)), none"),
      (
        idle.count == 0,
        "wake-ups of the monitor while four loops wait: \(idle.count) in \(idle.seconds) s, none"
      ),
    ]
  }

  private static func text(_ pair: PassCost.Pair) -> String {
    "\(tenths(pair.difference)) ns more than one that is not (\(tenths(pair.watched)), \(tenths(pair.plain)))"
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
