/// A page in which what was measured stands behind marks, to be written by a program and never by hand.
///
/// A mark is a line `<!-- measured: NAME -->`; what stands between it and the next `<!-- end -->` is replaced.
public struct Page: Sendable {
  private let lines: [Substring]

  /// A page of this text.
  public init(text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// The names of its marks, in order.
  public var names: [String] { lines.compactMap(Self.name) }

  /// The page with the texts of its marks. A mark that has none keeps what stands behind it.
  public func filled(_ text: (String) -> String?) -> String {
    var filled: [Substring] = []
    var isReplaced = false
    for line in lines {
      if isReplaced, line != Self.end { continue }
      filled.append(line)
      isReplaced = false
      if let name = Self.name(in: line), let text = text(name) {
        filled += ["", text[...], ""]
        isReplaced = true
      }
    }
    return filled.joined(separator: "\n")
  }

  private static let end = "<!-- end -->"

  private static func name(in line: Substring) -> String? {
    let (before, after) = ("<!-- measured: ", " -->")
    guard line.hasPrefix(before), line.hasSuffix(after) else { return nil }
    return String(line.dropFirst(before.count).dropLast(after.count))
  }
}
