import Synchronization

/// What was asked of the loops and what came of it: at rest both are the same, or something was lost.
final class Tally: Sendable {
  private let asked = Atomic<Int>(0)
  private let done = Atomic<Int>(0)

  /// One operation more whose callout is to come.
  func ask() { asked.add(1, ordering: .relaxed) }

  /// Its callout came.
  func note() { done.add(1, ordering: .relaxed) }

  /// An operation that is complete when it returns.
  func complete() {
    ask()
    note()
  }

  var askedCount: Int { asked.load(ordering: .relaxed) }
  var doneCount: Int { done.load(ordering: .relaxed) }
}
