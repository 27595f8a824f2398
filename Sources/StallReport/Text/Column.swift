extension String {
  /// The text on the right of a column of `width` characters.
  func aligned(right width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

  /// The text on the left of a column of `width` characters.
  func aligned(left width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// The text in at most `width` characters, the middle left out if need be: names differ at both ends.
  func elided(to width: Int) -> String {
    guard count > width, width > 2 else { return self }
    return prefix((width - 1) / 2) + "…" + suffix(width / 2)
  }

  /// The text without what could move a terminal's cursor, begin a line or turn its direction: symbols and names come
  /// from other programs.
  var printable: String {
    guard unicodeScalars.contains(where: \.movesTheCursor) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.movesTheCursor ? "\u{FFFD}" : scalar) }
    return String(text)
  }

  /// The text in lines of at most `width` characters, broken between words; a longer word is elided.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ").map({ String($0).elided(to: width) }) {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  /// The text without the spaces at its end.
  var withoutTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, a separator of lines, or one that turns the direction of what follows.
  fileprivate var movesTheCursor: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
