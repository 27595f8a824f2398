import Foundation
import StallReport
import Testing

/// What an export has in it, read by Foundation.
func object(_ format: ExportFormat, _ reports: [Report]) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(format.encode(reports))) as? [String: Any])
}

/// An envelope's header, and its items with their headers.
struct ReadEnvelope {
  var header: [String: Any] = [:]
  var items: [(header: [String: Any], payload: Data)] = []

  var event: [String: Any] {
    get throws { try #require(try JSONSerialization.jsonObject(with: items[0].payload) as? [String: Any]) }
  }

  /// Cuts a stream of envelopes apart, by the lengths that their items tell.
  static func all(in bytes: [UInt8]) throws -> [Self] {
    var envelopes: [Self] = []
    var rest = bytes[...]
    func line() throws -> [String: Any] {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      return try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
    while !rest.isEmpty {
      let header = try line()
      guard let length = header["length"] as? Int else {
        envelopes.append(Self(header: header))
        continue
      }
      try #require(rest.count > length)
      envelopes[envelopes.count - 1].items.append((header, Data(rest.prefix(length))))
      rest = rest.dropFirst(length)
      #expect(rest.first == UInt8(ascii: "\n"))
      rest = rest.dropFirst()
    }
    return envelopes
  }
}

/// The fields of one message of a protocol buffer.
struct ReadMessage {
  private(set) var numbers: [Int: [UInt64]] = [:]
  private(set) var pieces: [Int: [ArraySlice<UInt8>]] = [:]

  init(_ bytes: ArraySlice<UInt8>) throws {
    var rest = bytes
    while !rest.isEmpty {
      let key = try Self.varint(&rest)
      switch key & 7 {
      case 0: numbers[Int(key >> 3), default: []].append(try Self.varint(&rest))
      case 2:
        let length = Int(try Self.varint(&rest))
        try #require(length <= rest.count)
        pieces[Int(key >> 3), default: []].append(rest.prefix(length))
        rest = rest.dropFirst(length)
      default: Issue.record("wire type \(key & 7)")
      }
    }
  }

  func number(_ field: Int) -> UInt64 { numbers[field]?.first ?? 0 }

  func messages(_ field: Int) throws -> [ReadMessage] { try pieces[field, default: []].map(ReadMessage.init) }

  func strings(_ field: Int) throws -> [String] {
    try pieces[field, default: []].map { try #require(String(validating: $0, as: UTF8.self)) }
  }

  func packed(_ field: Int) throws -> [UInt64] {
    guard var rest = pieces[field]?.first else { return [] }
    var values: [UInt64] = []
    while !rest.isEmpty { values.append(try Self.varint(&rest)) }
    return values
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) throws -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try #require(bytes.first)
      bytes = bytes.dropFirst()
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    Issue.record("a number longer than ten bytes")
    return value
  }
}

/// A profile of pprof's, read back.
struct ReadPprof {
  let strings: [String]
  let profile: ReadMessage

  init(_ bytes: [UInt8]) throws {
    profile = try ReadMessage(bytes[...])
    strings = try profile.strings(6)
  }

  /// The names of each sample's functions, leaf first, its values, and its labels.
  func samples() throws -> [(names: [String], values: [UInt64], labels: [String: String])] {
    let functions = Dictionary(
      uniqueKeysWithValues: try profile.messages(5).map { ($0.number(1), strings[Int($0.number(2))]) })
    let locations = Dictionary(
      uniqueKeysWithValues: try profile.messages(4).map { location in
        (location.number(1), try location.messages(4).map { try #require(functions[$0.number(1)]) })
      })
    return try profile.messages(2).map { sample in
      let labels = try sample.messages(3).map { (strings[Int($0.number(1))], strings[Int($0.number(2))]) }
      return (
        try sample.packed(1).flatMap { try #require(locations[$0]) }, try sample.packed(2),
        Dictionary(uniqueKeysWithValues: labels)
      )
    }
  }
}
