/// What a figure counts.
enum Unit: Sendable {
  case nanoseconds
  case microseconds
  case bytes
  case count

  /// A figure with its unit, which for times fits their size: `35.4 ns`, `1.20 µs`.
  func text(_ value: Double) -> String {
    switch self {
    case .nanoseconds: Self.time(value)
    case .microseconds: Self.time(value * 1000)
    case .bytes: threeDigits(value) + " B"
    case .count: threeDigits(value)
    }
  }

  private static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds.magnitude {
    case ..<999.5: threeDigits(nanoseconds) + " ns"
    case ..<999_500: threeDigits(nanoseconds / 1000) + " µs"
    default: threeDigits(nanoseconds / 1_000_000) + " ms"
    }
  }
}

/// A number as people read it: three digits that count, or all before the point, with commas.
func threeDigits(_ value: Double) -> String {
  let size = value.magnitude
  let places = size < 9.995 ? 2 : size < 99.95 ? 1 : 0
  let scale = [1.0, 10.0, 100.0][places]
  let scaled = Int((size * scale).rounded())
  if scaled == 0 { return "0" }
  let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int(scale))
  let digits = String(fraction)
  let tail = places == 0 ? "" : "." + String(repeating: "0", count: places - digits.count) + digits
  return (value < 0 ? "-" : "") + grouped(whole) + tail
}

private func grouped(_ whole: Int) -> String {
  var text = ""
  for (index, digit) in String(whole).reversed().enumerated() {
    if index > 0, index.isMultiple(of: 3) { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}
