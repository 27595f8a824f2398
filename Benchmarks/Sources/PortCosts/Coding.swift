import Mainspring
import MainspringPorts

/// What it takes to make bytes of messages, and messages of bytes.
enum Coding {
  private struct Point: Codable, Sendable { var x = 1.5, y = -2.5 }
  private struct Numbers: Codable, Sendable { var values = Array(0..<100) }
  private struct Shapes: Codable, Sendable { var points = [Point](repeating: Point(), count: 20) }

  static func printAll() throws {
    try print("an Int", 5)
    try print("id, title, flag, 256 bytes", Letter(256))
    try print("100 Ints", Numbers())
    try print("20 points of two Doubles", Shapes())
    try print("32 KiB of bytes", Letter(32768))
  }

  private static func print<Message: Codable & Sendable>(_ name: String, _ message: Message) throws {
    let coding = RunLoop.PortCoding<Message, Message>.codable
    var bytes: [UInt8] = []
    let encoding = try least {
      bytes = []
      try coding.encode(message, into: &bytes)
    }
    let decoding = try least { _ = try coding.decode(bytes) }
    func padded(_ figure: Int, _ width: Int) -> String {
      let text = "\(figure)"
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let column = name + String(repeating: " ", count: max(0, 28 - name.count))
    Swift.print(column + padded(bytes.count, 6) + padded(encoding, 13) + padded(decoding, 13))
  }

  /// The least of several turns, ns.
  private static func least(_ body: () throws -> Void) rethrows -> Int {
    var least = UInt64.max
    for _ in 0..<50 {
      let begin = now()
      for _ in 0..<100 { try body() }
      least = min(least, (now() - begin) / 100)
    }
    return Int(least)
  }
}

extension Letter {
  var encodedByteCount: Int {
    get throws {
      var bytes: [UInt8] = []
      try RunLoop.PortCoding<Letter, Letter>.codable.encode(self, into: &bytes)
      return bytes.count
    }
  }
}
