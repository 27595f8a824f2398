import Symbols
import Testing

@Suite struct ByteReaderTests {
  @Test func `integers are little-endian and checked`() throws {
    var reader = ByteReader([1, 2, 3, 4, 5, 6, 7])
    #expect(try reader.read(UInt16.self) == 0x0201)
    #expect(try reader.read(UInt32.self) == 0x0605_0403)
    #expect(throws: MalformedData(at: 6)) { try reader.read(UInt16.self) }
    #expect(try reader.byte() == 7)
    #expect(reader.isAtEnd)
    #expect(throws: MalformedData(at: 7)) { try reader.byte() }
  }

  @Test func `three bytes make a number, too`() throws {
    var reader = ByteReader([1, 2, 3])
    #expect(try reader.unsigned(bytes: 3) == 0x03_0201)
  }

  @Test(
    arguments: [
      ([0x02], 2), ([0x7f], 127), ([0x80, 0x01], 128), ([0xe5, 0x8e, 0x26], 624_485),
      ([0x80, 0x80, 0x00], 0),
    ] as [([UInt8], UInt64)])
  func `unsigned LEB128`(bytes: [UInt8], value: UInt64) throws {
    var reader = ByteReader(bytes)
    #expect(try reader.uleb() == value)
    #expect(reader.isAtEnd)
  }

  @Test(
    arguments: [
      ([0x02], 2), ([0x7e], -2), ([0xff, 0x00], 127), ([0x81, 0x7f], -127), ([0x80, 0x7f], -128),
    ] as [([UInt8], Int64)])
  func `signed LEB128`(bytes: [UInt8], value: Int64) throws {
    var reader = ByteReader(bytes)
    #expect(try reader.sleb() == value)
    #expect(reader.isAtEnd)
  }

  @Test func `an endless LEB128 ends with the bytes`() {
    var reader = ByteReader([UInt8](repeating: 0xff, count: 1000))
    #expect(throws: MalformedData(at: 1000)) { try reader.uleb() }
  }

  @Test func `a part does not read beyond itself`() throws {
    var reader = ByteReader([1, 2, 3, 4])
    var part = try reader.part(2)
    #expect(throws: MalformedData(at: 0)) { try part.read(UInt32.self) }
    #expect(try reader.byte() == 3)
    #expect(throws: MalformedData(at: 3)) { try reader.part(.max) }
  }

  @Test func `ranges that do not fit are cut`() {
    #expect(ByteReader([1, 2, 3], in: 2..<9).remaining == 1)
    #expect(ByteReader([1, 2, 3], in: 7..<9).remaining == 0)
  }

  @Test func `text needs its end`() throws {
    #expect(Array("ab\0".utf8).terminatedText(at: 1) == "b")
    #expect(Array("ab".utf8).terminatedText(at: 0) == nil)
    #expect(Array("ab\0".utf8).terminatedText(at: -1) == nil)
    #expect(Array("ab\0".utf8).terminatedText(at: 3) == nil)
  }

  @Test func `numbers of a line are taken one by one`() {
    var scanner = TextScanner(Array("ff-10 rest".utf8)[...])
    #expect(scanner.hexadecimal() == 255)
    let skipped = [scanner.skip("-"), scanner.skip("x")]
    #expect(skipped == [true, false])
    #expect(scanner.decimal() == 10)
    #expect(scanner.decimal() == nil)
    scanner.skipSpaces()
    #expect(scanner.word().map { String(decoding: $0, as: UTF8.self) } == "rest")
    #expect(scanner.word() == nil)
  }

  @Test func `a number of more than 64 bits is none`() {
    var scanner = TextScanner(Array("fffffffffffffffff".utf8)[...])
    #expect(scanner.hexadecimal() == nil)
  }
}
