/// A register of x86-64 by its DWARF number.
package enum Register {
  package static let rbx = 3
  package static let rbp = 6
  package static let rsp = 7
  package static let programCounter = 16
  package static let count = 17
}

/// The registers of one frame. Only some are known: a call preserves few, a passive capture finds two.
package struct RegisterSet: Sendable {
  private var values = InlineArray<17, UInt64>(repeating: 0)
  private var known: UInt32 = 0

  package init() {}

  /// Nil: not known. Numbers that no register has are never known and cannot be set.
  package subscript(register: Int) -> UInt64? {
    get { (0..<Register.count).contains(register) && known >> register & 1 != 0 ? values[register] : nil }
    set {
      guard (0..<Register.count).contains(register) else { return }
      values[register] = newValue ?? 0
      known = newValue == nil ? known & ~(1 << register) : known | 1 << register
    }
  }

  package var programCounter: UInt64 { self[Register.programCounter] ?? 0 }
  package var stackPointer: UInt64 { self[Register.rsp] ?? 0 }
}
