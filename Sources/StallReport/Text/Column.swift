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

  /// The text without what could move a terminal's cursor: symbols and names come from other programs.
  var printable: String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(text)
  }

  /// The text without the spaces at its end.
  var withoutTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
