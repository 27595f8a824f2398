/// A set of modes in one word, for deciding whether a sleeper is concerned.
///
/// The first 62 modes of the process have a bit each; later ones share a bit, which can cause a needless
/// pass and never a missed one. The top bit stands for the common modes.
package struct ModeMask: Equatable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  @inline(__always)
  package init(_ mode: RunLoop.Mode) {
    rawValue = mode == .common ? Self.commonBit : 1 << UInt64(Self.bit(of: mode))
  }

  /// Concerns a sleeper in whatever mode.
  package static let all = ModeMask(rawValue: .max)
  package static let none = ModeMask(rawValue: 0)

  package var includesCommon: Bool { rawValue & Self.commonBit != 0 }

  package mutating func formUnion(_ other: ModeMask) { rawValue |= other.rawValue }

  private static let commonBit: UInt64 = 1 << 63
  private static let sharedBit: UInt32 = 62

  @inline(__always)
  package static func bit(of mode: RunLoop.Mode) -> UInt32 { min(mode.number, sharedBit) }
}
