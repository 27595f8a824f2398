extension JSONParser {
  /// Reads the string that begins here.
  mutating func string() throws(Failure) -> String {
    try take(UInt8(ascii: "\""))
    let start = position
    var text: [UInt8] = []
    // Where what is not in `text` yet begins: it goes there in one piece before each escape.
    var pending = start
    while true {
      switch next {
      case UInt8(ascii: "\""):
        try Limit.stringBytes.check(position - start)
        text += bytes[pending..<position]
        guard let string = String(validating: text, as: UTF8.self) else {
          throw Failure(.syntax(.notUTF8, offset: start))
        }
        position += 1
        return string
      case UInt8(ascii: "\\"):
        text += bytes[pending..<position]
        position += 1
        text.append(contentsOf: try escaped().utf8)
        pending = position
      case let byte? where byte >= 0x20: position += 1
      default: throw fault(.controlCharacter)
      }
    }
  }

  /// The character that the escape behind a backslash stands for.
  private mutating func escaped() throws(Failure) -> Unicode.Scalar {
    guard let letter = next else { throw fault(.escape) }
    if letter == UInt8(ascii: "u") {
      position += 1
      return try escapedScalar()
    }
    let scalar: Unicode.Scalar
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = Unicode.Scalar(letter)
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    default: throw fault(.escape)
    }
    position += 1
    return scalar
  }

  /// One character of four digits, or of two halves of four digits each.
  private mutating func escapedScalar() throws(Failure) -> Unicode.Scalar {
    let unit = try escapedUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Half a pair alone stands for nothing, and no `String` can hold it.
    guard UTF16.isLeadSurrogate(unit), next == UInt8(ascii: "\\") else { throw fault(.escape) }
    position += 1
    try take(UInt8(ascii: "u"))
    let second = try escapedUnit()
    guard UTF16.isTrailSurrogate(second) else { throw fault(.escape) }
    let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw fault(.escape) }
    return scalar
  }

  private mutating func escapedUnit() throws(Failure) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Hexadecimal.value(ofDigit: byte) else { throw fault(.escape) }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }
}
