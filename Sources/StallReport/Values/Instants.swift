extension Report {
  /// Nanoseconds since 1970-01-01 00:00 UTC: for display, never for arithmetic, since the clock may be set.
  public struct UnixTime: Sendable, Hashable, Comparable, JSONEncodable {
    /// Nanoseconds since the epoch; negative before it.
    public var nanoseconds: Int64

    /// The instant so many nanoseconds after the epoch.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (one: Self, other: Self) -> Bool { one.nanoseconds < other.nanoseconds }

    /// Writes a string of digits: as a JSON number it would lose its lowest bits.
    public func encode(to json: inout JSONWriter) { json.string(String(nanoseconds)) }
  }

  /// Nanoseconds of the monotonic clock: for arithmetic within one boot of one machine.
  public struct MonotonicTime: Sendable, Hashable, Comparable, JSONEncodable {
    /// Nanoseconds since an unspecified start.
    public var nanoseconds: UInt64

    /// The instant so many nanoseconds after the clock's start.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static func < (one: Self, other: Self) -> Bool { one.nanoseconds < other.nanoseconds }

    /// Writes a string of digits: as a JSON number it would lose its lowest bits.
    public func encode(to json: inout JSONWriter) { json.string(String(nanoseconds)) }
  }
}
