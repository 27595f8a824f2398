/// Who sleeps, as the sleep word says it: in which mode, and on what.
///
/// Zero is awake. A mode is told by its bit in a `ModeMask`, so that a poster can see without a lock
/// whether what it posted concerns the sleeper.
package struct SleepCode: Equatable, Sendable {
  package let rawValue: UInt32

  private static let asleepBit: UInt32 = 1 << 31
  private static let descriptorBit: UInt32 = 1 << 30
  private static let commonBit: UInt32 = 1 << 29

  package static let awake = SleepCode(rawValue: 0)

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// - Parameter usesDescriptor: the sleep is in epoll, and the bell's descriptor ends it; otherwise it is
  ///   on the word itself.
  package init(mode: RunLoop.Mode, isCommon: Bool, usesDescriptor: Bool) {
    rawValue =
      Self.asleepBit | (usesDescriptor ? Self.descriptorBit : 0) | (isCommon ? Self.commonBit : 0)
      | ModeMask.bit(of: mode)
  }

  package var isAsleep: Bool { rawValue & Self.asleepBit != 0 }
  package var usesDescriptor: Bool { rawValue & Self.descriptorBit != 0 }

  /// Whether something for the modes of `mask` concerns this sleeper.
  @inline(__always)
  package func isConcerned(by mask: ModeMask) -> Bool {
    guard isAsleep else { return false }
    if mask.rawValue >> UInt64(rawValue & 63) & 1 != 0 { return true }
    return rawValue & Self.commonBit != 0 && mask.includesCommon
  }
}
