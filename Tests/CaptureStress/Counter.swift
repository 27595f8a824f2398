import Synchronization

/// Counts from any thread.
final class Counter: Sendable {
  private let count = Atomic(0)

  func add(_ amount: Int = 1) { count.add(amount, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}
