import Synchronization

/// How many callouts the operations have had. In a place of its own, so that a handler can count without a context.
enum Callouts {
  private static let made = Atomic<Int>(0)

  static var count: Int { made.load(ordering: .relaxed) }

  @inline(__always)
  static func note() { made.add(1, ordering: .relaxed) }

  /// Sees that `body` has so many callouts, no more and no less: what was not done is not cheap.
  static func expect(_ expected: Int, from body: () throws -> Void) rethrows {
    let before = count
    try body()
    precondition(count - before == expected, "\(count - before) callouts where \(expected) were asked for")
  }

  /// Waits, without a call to the kernel, until there have been so many.
  static func wait(for expected: Int) { spin { count >= expected } }
}
