import Glibc
import Synchronization

/// What the stalls need: when they are seen, a lock that somebody holds, a pipe that somebody writes to late.
final class Watch: Sendable {
  private let seen = Atomic(0)
  private let awaited = Atomic(1)
  private let sum = Atomic<UInt64>(0)
  let lock = Mutex<UInt64>(0)
  let pipeEnd: Int32
  private let writeEnd: Int32

  init() {
    var ends: [Int32] = [0, 0]
    // SAFETY: the call writes two numbers, and there is room for two.
    guard unsafe pipe(&ends) == 0 else { fatalError("no pipe") }
    (pipeEnd, writeEnd) = (ends[0], ends[1])
  }

  /// Whether the stall that is under way has been reported.
  var isSeen: Bool { seen.load(ordering: .acquiring) >= awaited.load(ordering: .relaxed) }

  func see() { seen.add(1, ordering: .releasing) }

  /// The next stall begins.
  func next() { awaited.store(seen.load(ordering: .relaxed) + 1, ordering: .relaxed) }

  /// What is kept is not left out by the compiler.
  func keep(_ value: UInt64) { sum.store(value, ordering: .relaxed) }

  func writeOne() {
    var byte: UInt8 = 1
    // SAFETY: one byte is written, and there is one.
    _ = unsafe write(writeEnd, &byte, 1)
  }
}
