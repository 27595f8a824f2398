/// A value that is only touched while its lock is held.
@safe package final class Locked<Value>: @unchecked Sendable {
  // Sendable: `value` is only read and written between lock and unlock of the one lock beside it.
  private let gate = WordLock()
  @safe @exclusivity(unchecked) private var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` with the value, the lock held. Keep it short, and call nothing of the user's in it.
  @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    gate.lock()
    defer { gate.unlock() }
    // Exclusive by the lock, which the compiler cannot see.
    return try body(&value)
  }

  /// Where the lock's word stands, for who holds it over a fork.
  var address: UnsafeMutablePointer<UInt32> { unsafe gate.address }
}
