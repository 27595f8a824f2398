extension Report {
  /// The number of a report: 128 bits, written as 32 hexadecimal digits.
  public struct Identifier: Sendable, Hashable, JSONEncodable, CustomStringConvertible {
    /// The upper 64 bits.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    /// The identifier of these bits.
    public init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }

    /// A new random identifier from the system's generator.
    public static func random() -> Self { Self(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }

    /// The 32 hexadecimal digits.
    public var description: String {
      Hexadecimal.digits(high, count: 16) + Hexadecimal.digits(low, count: 16)
    }

    public func encode(to json: inout JSONWriter) { json.string(description) }
  }

  /// The sort of a stall.
  public enum Kind: String, Sendable, CaseIterable, JSONEncodable {
    /// One pass that took at least the threshold.
    case stall
    /// One such pass that served many items.
    case backlog
    /// Many passes without a wait for at least the threshold.
    case saturation
    /// The host did not let the thread run.
    case starvation
    /// A cycle of waits.
    case deadlock
    /// Work that waited too long for a pool's thread.
    case pool
    /// A crash of the process, in or beside the loop.
    case crash
  }

  /// How far a stall has come.
  public enum State: String, Sendable, CaseIterable, JSONEncodable {
    /// Not over yet.
    case ongoing
    /// The loop went on.
    case recovered
    /// The process ended first.
    case unrecovered
    /// A later report takes this one's place.
    case superseded
  }
}
