/// A document for tools. Written by hand: programs that measure themselves are not to load Foundation.
public indirect enum JSON {
  /// A number or a truth.
  case bare(String)
  case text(String)
  case array([JSON])
  case object([(String, JSON)])

  /// A number with four digits behind the point; what is unknown or not finite is null.
  public static func number(_ number: Double?) -> JSON {
    guard let number, number.isFinite else { return .bare("null") }
    return .bare("\((number * 10000).rounded() / 10000)")
  }

  /// A whole number.
  public static func number(_ number: Int) -> JSON { .bare("\(number)") }

  /// The document as lines, each level indented by two.
  public func text(indent: String = "") -> String {
    switch self {
    case .bare(let text): text
    case .text(let text): Self.quoted(text)
    case .array(let elements): Self.list("[", elements.map { $0.text(indent: indent + "  ") }, "]", indent)
    case .object(let members):
      Self.list(
        "{", members.map { Self.quoted($0.0) + ": " + $0.1.text(indent: indent + "  ") }, "}", indent)
    }
  }

  private static func list(_ open: String, _ lines: [String], _ close: String, _ indent: String) -> String {
    if lines.isEmpty { return open + close }
    return open + "\n" + lines.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n" + indent + close
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20:
        quoted += "\\u00" + String(scalar.value + 0x100, radix: 16).dropFirst()
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
