/// When a loop looks for work for a while before it sleeps: as long as that has paid lately.
///
/// A look that finds work is followed by others. After several in a row that found none there is only a trial now and
/// then, and the sleeps between two trials double: a loop whose looks find nothing spends a hundredth of a look on each
/// sleep in the end. Who sleeps without being woken spends nothing.
struct SpinPolicy: Equatable, Sendable {
  /// How long a look lasts at most, ns.
  let limit: UInt64
  /// How many looks in a row may yet find nothing; with none left, looks are trials.
  private var chances = 0
  /// Sleeps to go until the next trial.
  private var rest = 0
  private var nextRest = Self.shortestRest

  init(limit: UInt64) { self.limit = limit }

  /// Whether to look before the sleep that comes; counts it if not.
  mutating func isDue() -> Bool {
    if chances > 0 || rest == 0 { return true }
    rest -= 1
    return false
  }

  /// Whether a look would be a trial.
  var isTrial: Bool { chances == 0 }

  /// A look has found work, or not.
  mutating func note(paid: Bool) {
    if paid {
      chances = Self.chancesOfSuccess
      nextRest = Self.shortestRest
    } else if chances > 1 {
      chances -= 1
    } else {
      giveUp()
    }
  }

  /// The sleep was ended from the processor that the loop runs on: as long as it had looked, nobody could have.
  mutating func noteRingFromHere() {
    if chances > 0 { giveUp() } else { rest += 1 }
  }

  private mutating func giveUp() {
    chances = 0
    rest = nextRest
    nextRest = min(nextRest * 2, Self.longestRest)
  }

  /// Those that pay every sixteenth time go on: somebody who answers, but was kept from running for a moment.
  private static let chancesOfSuccess = 16
  /// Short, since two that answer each other have to look both before it pays for either.
  private static let shortestRest = 4
  private static let longestRest = 128
}
