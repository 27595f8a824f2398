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

  /// Nil if a line is missing that every kernel writes.
  package init?(parsing text: [UInt8]) {
    var state: Character?
    var blocked: UInt64?
    (voluntarySwitches, involuntarySwitches) = (0, 0)
    for line in text.split(separator: UInt8(ascii: "\n")) {
      var scanner = TextScanner(line)
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
  /// Nil if there is no such thread, or it may not be read.
  static func read(_ name: String, of thread: Int32) -> [UInt8]? {
    try? ReadOnlyFile.contents(ofPath: "/proc/self/task/\(thread)/\(name)")
  }
}
