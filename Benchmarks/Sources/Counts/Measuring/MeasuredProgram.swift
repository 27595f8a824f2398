import CCounts
import Glibc

/// What a tool watches: this program, started once more to do one operation.
enum MeasuredProgram {
  /// An operation that hangs ends here: the signal's default is the end of the process.
  private static let secondsMax: UInt32 = 120

  /// Does it, between the marks that the tools know, and writes how often memory was asked for there.
  ///
  /// - Parameter hasOldEpoll: whether the tool knows the kernel's older call alone.
  static func run(_ operation: Operation, hasOldEpoll: Bool) throws {
    alarm(secondsMax)
    if hasOldEpoll { counts_lack_epoll_pwait2() }
    let perform = try operation.prepare()
    for _ in 0..<operation.warmUps { try perform(3 * operation.times) }
    let once = try allocations { try perform(operation.times) }
    let thrice = try allocations { try perform(3 * operation.times) }
    print("\(once)\n\(thrice)")
  }

  private static func allocations(in region: () throws -> Void) rethrows -> UInt64 {
    let before = counts_allocations()
    counts_begin()
    try region()
    counts_end()
    return counts_allocations() - before
  }
}
