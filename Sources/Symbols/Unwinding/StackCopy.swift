/// A copied slice of a thread's stack, and more of it where that is to be had.
package struct StackCopy {
  /// Bytes from an address on.
  package struct Part: Sendable {
    package let low: UInt64
    package let bytes: [UInt8]

    package init(low: UInt64, bytes: [UInt8]) {
      self.low = low
      self.bytes = bytes
    }

    /// Just above the last byte.
    package var high: UInt64 { low &+ UInt64(bytes.count) }

    func word(at address: UInt64) -> UInt64? {
      guard address >= low, let offset = Int(exactly: address - low) else { return nil }
      return bytes.integer(at: offset)
    }
  }

  /// From the stack pointer on.
  package let leaf: Part
  /// The top of a deeper stack, copied at the same moment.
  package let root: Part?
  /// Whether the stack goes on above the leaf part.
  package let isTruncated: Bool
  /// What was not copied, read from the stack itself as it is needed.
  package let rest: StackRest?

  package init(low: UInt64, bytes: [UInt8], isTruncated: Bool, root: Part? = nil, rest: StackRest? = nil) {
    leaf = Part(low: low, bytes: bytes)
    self.root = root
    self.isTruncated = isTruncated
    self.rest = rest
  }

  package var low: UInt64 { leaf.low }
  /// Just above the last byte of the leaf part.
  package var high: UInt64 { leaf.high }

  /// The eight bytes at an address; nil if they are not to be had.
  package func word(at address: UInt64) -> UInt64? {
    if let word = leaf.word(at: address) { return word }
    guard address >= high else { return nil }
    return root?.word(at: address) ?? rest?.word(at: address)
  }

  /// Whether the stack may go on at an address, as far as is known.
  func reaches(_ address: UInt64) -> Bool {
    func isIn(_ part: Part) -> Bool { part.low <= address && address <= part.high }
    return isIn(leaf) || root.map(isIn) ?? false || rest != nil
  }

  /// Whether a frame whose caller's stack begins there was read from the stack itself, perhaps after it had changed.
  package func isUncertain(_ canonicalFrameAddress: UInt64) -> Bool {
    canonicalFrameAddress > high && !(root.map { canonicalFrameAddress > $0.low } ?? false)
  }
}

/// The part of a stack that was not copied, read piece by piece.
///
/// The frames there are those of callers, which do not change while the thread stays beneath them. Whether it did is for
/// the reader to find out.
package final class StackRest {
  private static let windowByteCount = 64 << 10
  /// More than the largest stack is read in pieces. Frames that lie here and there could ask for it again and again.
  private static let windowCountMax = 1024

  private let memory: any MemoryReader
  private var windowCount = 0
  private var window = StackCopy.Part(low: 0, bytes: [])

  package init(memory: any MemoryReader) { self.memory = memory }

  fileprivate func word(at address: UInt64) -> UInt64? {
    if let word = window.word(at: address) { return word }
    guard windowCount < Self.windowCountMax else { return nil }
    windowCount += 1
    window = StackCopy.Part(low: address, bytes: memory.bytes(at: address, count: Self.windowByteCount))
    return window.word(at: address)
  }
}
