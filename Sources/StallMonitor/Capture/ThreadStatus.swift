internal import LinuxKernel
internal import Symbols

/// What /proc says of a thread of this process, at one moment.
package struct ThreadStatus: Sendable, Equatable {
  /// R running, S asleep, D asleep and deaf to signals, T stopped, Z and X over.
  package var state: Character
  /// Signal number *n* is held back if bit *n* − 1 is set.
  package var blockedSignals: UInt64
  package var voluntarySwitches: UInt64
  package var involuntarySwitches: UInt64

  package var isAsleep: Bool { state == "S" || state == "D" }
  package var isOver: Bool { state == "Z" || state == "X" }

  package func isBlocked(_ signal: CInt) -> Bool {
    (1...64).contains(signal) && blockedSignals >> UInt64(signal - 1) & 1 != 0
  }

  /// Reads it; nil if there is no such thread. 3 to 9 µs.
  package init?(thread: Int32) {
    guard let text = ThreadFile.read("status", of: thread) else { return nil }
    self.init(parsing: text)
  }

  private static let firstLetters = [UInt8(ascii: "S"), UInt8(ascii: "v"), UInt8(ascii: "n")]

  /// Nil if a line is missing that every kernel writes.
  package init?(parsing text: [UInt8]) {
    var state: Character?
    var blocked: UInt64?
    (voluntarySwitches, involuntarySwitches) = (0, 0)
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      defer { start = end + 1 }
      // Sixty lines, of which four are of interest.
      guard start < end, Self.firstLetters.contains(text[start]) else { continue }
      var scanner = TextScanner(text[start..<end])
      if scanner.skip("State:\t") {
        state = scanner.word()?.first.map { Character(UnicodeScalar($0)) }
      } else if scanner.skip("SigBlk:\t") {
        blocked = scanner.hexadecimal()
      } else if scanner.skip("voluntary_ctxt_switches:\t") {
        voluntarySwitches = scanner.decimal() ?? 0
      } else if scanner.skip("nonvoluntary_ctxt_switches:\t") {
        involuntarySwitches = scanner.decimal() ?? 0
      }
    }
    guard let state, let blocked else { return nil }
    self.state = state
    blockedSignals = blocked
  }
}

/// The small files of a thread under /proc.
enum ThreadFile {
  private static let byteCount = 8192

  /// Nil if there is no such thread, or it may not be read.
  static func read(_ name: String, of thread: Int32) -> [UInt8]? {
    let path = "/proc/self/task/\(thread)/\(name)"
    guard let head = try? ReadOnlyFile.head(ofPath: path, count: byteCount) else { return nil }
    // A status with thousands of groups or processors.
    return head.count < byteCount ? head : try? ReadOnlyFile.contents(ofPath: path)
  }
}
