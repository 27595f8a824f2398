import Testing

@testable import StallReport

@Suite struct `JSON parser` {
  private func value(_ text: String) throws -> JSONValue { try JSONParser.value(of: Array(text.utf8)) }

  private func problem(_ bytes: [UInt8]) -> Report.DecodingError.Problem? {
    #expect(throws: Report.DecodingError.self) { try JSONParser.value(of: bytes) }?.problem
  }

  @Test func `values of all kinds are read, with white space between`() throws {
    #expect(
      try value(" {\"a\" :\t[1 , -2.5e+3,true,false , null,\"\" ,{ }, [ ]]\r\n}\n")
        == .object([
          "a": .array([
            .number(JSONNumber(text: "1")), .number(JSONNumber(text: "-2.5e+3")), .bool(true), .bool(false),
            .null, .string(""), .object([:]), .array([]),
          ])
        ]))
  }

  @Test func `every escape and every half of a pair is read`() throws {
    #expect(
      try value(#""a\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83D\uDE00z""#) == .string("a\"\\/\u{8}\u{C}\n\r\té€😀z"))
    #expect(try value("\"\u{0}\"".replacing("\u{0}", with: "\u{7F}é😀")) == .string("\u{7F}é😀"))
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "\"a", "\"\\", "\"\\u00e", "tru", "-",
    "1.", "1e", "1e+",
  ])
  func `a text that is cut off ends too early`(text: String) {
    #expect(problem(Array(text.utf8)) == .syntax(.ended, offset: text.utf8.count))
  }

  @Test(arguments: [
    ("[1,]", 3), ("{,}", 1), ("{\"a\":1,}", 7), ("{a:1}", 1), ("{'a':1}", 1), ("01", 1), ("+1", 0), (".5", 0),
    ("1.e3", 2), ("0x1", 1), ("NaN", 0), ("nul ", 3), ("True", 0), ("[1 2]", 3), ("[1]]", 3), ("{} {}", 3),
    ("[}", 1),
    ("{\"a\" 1}", 5), ("1,", 1), ("\u{FEFF}1", 0), ("[1/**/]", 2), ("--1", 1), ("1e5.5", 3),
  ])
  func `what the grammar does not have is refused where it stands`(text: String, offset: Int) {
    #expect(problem(Array(text.utf8)) == .syntax(.unexpected, offset: offset))
  }

  @Test(arguments: [
    #""\x""#, #""\u12g4""#, #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\ud800""#,
  ])
  func `an escape that stands for nothing is refused`(text: String) {
    switch problem(Array(text.utf8)) {
    case .syntax(.escape, _), .syntax(.unexpected, _): break
    case let other: Issue.record("\(text): \(String(describing: other))")
    }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused, also around an escape`(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(problem([quote] + bytes + [quote]) == .syntax(.notUTF8, offset: 1))
    #expect(problem([quote] + bytes + Array(#"\u0080""#.utf8)) == .syntax(.notUTF8, offset: 1))
    #expect(problem(bytes) == .syntax(.unexpected, offset: 0))
  }

  @Test func `control characters have to be escaped`() {
    for control in 0..<0x20 as Range<UInt8> {
      #expect(problem([0x22, control, 0x22]) == .syntax(.controlCharacter, offset: 1))
    }
  }

  @Test func `no key is there twice`() {
    #expect(problem(Array(#"{"a":1,"b":2,"a":3}"#.utf8)) == .repeated("a"))
    #expect(problem(Array(#"{"a":1,"\u0061":3}"#.utf8)) == .repeated("a"))
  }

  @Test func `everything has a limit, and what is just within it is read`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(throws: Never.self) { try JSONParser.value(of: nested(32)) }
    #expect(problem(nested(33)) == .exceeds(.depth))
    #expect(problem(Array(repeating: UInt8(ascii: "["), count: 1 << 20)) == .exceeds(.depth))
    func zeros(_ count: Int) -> [UInt8] {
      Array(("[" + String(repeating: "0,", count: count - 2) + "0]").utf8)
    }
    #expect(throws: Never.self) { try JSONParser.value(of: zeros(1 << 19)) }
    #expect(problem(zeros(1 << 19 + 1)) == .exceeds(.values))
    func number(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "1"), count: count) }
    #expect(throws: Never.self) { try JSONParser.value(of: number(128)) }
    #expect(problem(number(129)) == .exceeds(.numberBytes))
    func text(_ count: Int) -> [UInt8] { Array("\"\(String(repeating: "x", count: count))\"".utf8) }
    #expect(throws: Never.self) { try JSONParser.value(of: text(1 << 20)) }
    #expect(problem(text(1 << 20 + 1)) == .exceeds(.stringBytes))
    #expect(problem(Array(repeating: 0x20, count: 16 << 20 + 1)) == .exceeds(.bytes))
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("7.0", 7), ("70e-1", 7), ("0.07E+2", 7), ("-9223372036854775808", .min),
      ("9223372036854775807.00", .max), ("0e999999999999999999999", 0), ("1e2", 100),
      ("0.5", nil), ("1e-1", nil), ("9223372036854775808", nil), ("1e999999999999999999999", nil),
      ("1e-999999999999999999999", nil),
    ] as [(String, Int?)])
  func `whole numbers are read however they are written`(text: String, expected: Int?) {
    #expect(JSONNumber(text: text).integer == expected)
  }

  @Test(
    arguments: [
      ("268", 268_000_000_000_000_000), ("3.1", 3_100_000_000_000_000), ("-0.0005", -500_000_000_000),
      ("1e-15", 1), ("5e-16", 1), ("-5e-16", -1), ("4e-16", 0), ("1e-400", 0), ("1e23", nil), ("1e400", nil),
      ("00000.0", 0),
    ] as [(String, Int128?)])
  func `milliseconds are attoseconds without loss`(text: String, expected: Int128?) {
    #expect(JSONNumber(text: text).scaled(byPowerOfTen: 15)?.value == expected)
  }
}
