/// How long an injection is meant to last: a time, or a multiple of the threshold.
public struct Length: Sendable, Equatable {
  /// The threshold's part.
  public var thresholds: Double
  /// The other part, ns.
  public var nanoseconds: Double

  public init(thresholds: Double = 0, nanoseconds: Double = 0) {
    self.thresholds = thresholds
    self.nanoseconds = nanoseconds
  }

  /// The length in ns, at this threshold in ns.
  public func resolved(threshold: UInt64) -> UInt64 {
    UInt64(thresholds * Double(threshold) + nanoseconds)
  }

  /// `1.2T`, `60ms`, `2s`, `500us`; nil for anything else, and for what is below zero or above an hour.
  public init?(_ text: some StringProtocol) {
    let units: [(String, Double)] = [("us", 1e3), ("ms", 1e6), ("T", 0), ("s", 1e9)]
    guard let unit = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.0.count)), number >= 0, number * unit.1 <= 3.6e12, number <= 1e6
    else { return nil }
    self = unit.0 == "T" ? Length(thresholds: number) : Length(nanoseconds: number * unit.1)
  }
}

/// The lengths that the injections of a cell are drawn from.
public enum Lengths: Sendable, Equatable {
  /// Each in its turn.
  case list([Length])
  /// Anything from the one to the other.
  case range(Length, Length)

  /// `1.2T`, `1.2T,2T,3T`, `1.2T..3T`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    if let dots = text.range(of: "..") {
      guard let low = Length(text[..<dots.lowerBound]), let high = Length(text[dots.upperBound...]) else {
        return nil
      }
      self = .range(low, high)
    } else {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Length($0) }
      guard !parts.isEmpty, !parts.contains(nil) else { return nil }
      self = .list(parts.compactMap(\.self))
    }
  }

  /// The shortest and the longest, and all others of a list.
  var bounds: [Length] {
    switch self {
    case .list(let lengths): lengths
    case .range(let low, let high): [low, high]
    }
  }

  /// The length, ns, of the injection with this number.
  public func length(
    ofInjection number: Int, threshold: UInt64, using random: inout some RandomNumberGenerator
  ) -> UInt64 {
    switch self {
    case .list(let lengths): return lengths[number % lengths.count].resolved(threshold: threshold)
    case .range(let low, let high):
      let (low, high) = (low.resolved(threshold: threshold), high.resolved(threshold: threshold))
      return low < high ? .random(in: low...high, using: &random) : low
    }
  }
}

extension StringProtocol {
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
