/// Reads JSON text: the grammar of RFC 8259 and nothing beyond it, and no key twice in one object.
///
/// For text from anywhere. It takes time and memory in proportion to the text, and goes no deeper than
/// ``Report/DecodingError/Limit/depth``.
struct JSONParser {
  typealias Failure = Report.DecodingError
  typealias Limit = Report.DecodingError.Limit

  let bytes: [UInt8]
  var position = 0
  private var depth = 0
  private var valueCount = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The one value that `bytes` are the text of.
  ///
  /// - Complexity: O(*n*).
  static func value(of bytes: [UInt8]) throws(Failure) -> JSONValue {
    try Limit.bytes.check(bytes.count)
    var parser = JSONParser(bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.next == nil else { throw parser.fault(.unexpected) }
    return value
  }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func fault(_ fault: Failure.SyntaxFault) -> Failure {
    Failure(.syntax(position < bytes.count ? fault : .ended, offset: position))
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func value() throws(Failure) -> JSONValue {
    valueCount += 1
    try Limit.values.check(valueCount)
    skipSpace()
    guard let first = next else { throw fault(.unexpected) }
    switch first {
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: throw fault(.unexpected)
    }
  }

  private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
    for byte in word.description.utf8 { try take(byte) }
    return value
  }

  mutating func take(_ byte: UInt8) throws(Failure) {
    guard next == byte else { throw fault(.unexpected) }
    position += 1
  }

  // MARK: containers

  private mutating func array() throws(Failure) -> [JSONValue] {
    try open()
    var elements: [JSONValue] = []
    if next != UInt8(ascii: "]") {
      repeat { elements.append(try value()) } while try takesComma()
    }
    try close(UInt8(ascii: "]"))
    return elements
  }

  private mutating func object() throws(Failure) -> [String: JSONValue] {
    try open()
    var members: [String: JSONValue] = [:]
    if next != UInt8(ascii: "}") {
      repeat {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw fault(.unexpected) }
        let key = try string()
        skipSpace()
        try take(UInt8(ascii: ":"))
        guard members.updateValue(try value(), forKey: key) == nil else { throw Failure(.repeated(key)) }
      } while try takesComma()
    }
    try close(UInt8(ascii: "}"))
    return members
  }

  private mutating func open() throws(Failure) {
    depth += 1
    try Limit.depth.check(depth)
    position += 1
    skipSpace()
  }

  private mutating func close(_ bracket: UInt8) throws(Failure) {
    try take(bracket)
    depth -= 1
  }

  /// Whether another element follows.
  private mutating func takesComma() throws(Failure) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: ",") else { return false }
    position += 1
    return true
  }

  // MARK: numbers

  private mutating func number() throws(Failure) -> JSONNumber {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    // Nothing follows a zero in front but a point or an exponent.
    if next == UInt8(ascii: "0") { position += 1 } else { try takeDigits() }
    if next == UInt8(ascii: ".") {
      position += 1
      try takeDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try takeDigits()
    }
    try Limit.numberBytes.check(position - start)
    return JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func takeDigits() throws(Failure) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw fault(.unexpected) }
  }
}
