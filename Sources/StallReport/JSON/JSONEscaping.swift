/// How a string stands between JSON's quotation marks.
enum JSONEscaping {
  /// Appends `value`, escaped, as UTF-8.
  ///
  /// Beyond what JSON demands, the characters that end a line in JavaScript (U+2028, U+2029) and the
  /// controls that move a terminal's cursor (U+007F to U+009F) are escaped: reports are pasted and printed.
  /// - Complexity: O(length).
  static func append(_ value: String, to bytes: inout [UInt8]) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": bytes.append(contentsOf: #"\""#.utf8)
      case "\\": bytes.append(contentsOf: #"\\"#.utf8)
      case "\n": bytes.append(contentsOf: #"\n"#.utf8)
      case "\r": bytes.append(contentsOf: #"\r"#.utf8)
      case "\t": bytes.append(contentsOf: #"\t"#.utf8)
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        bytes.append(contentsOf: #"\u"#.utf8)
        bytes.append(contentsOf: Hexadecimal.digits(UInt64(scalar.value), count: 4).utf8)
      default: bytes.append(contentsOf: scalar.utf8)
      }
    }
  }
}
