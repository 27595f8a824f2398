import Glibc
import Mainspring
import MainspringPorts

/// What speaks with the other process, on either side.
enum Side: String {
  /// `send` and `recv` that block.
  case plain
  /// The same where each `recv` comes after a `poll`, as a loop does by epoll.
  case waiting
  /// A port of bytes.
  case bytes
  /// A port of a `Codable` structure.
  case codable

  static let all: [Side] = [.plain, .waiting, .bytes, .codable]

  static func named(_ name: String) -> Side { Side(rawValue: name)! }

  private static func inherited() throws -> RunLoop.PortEnd { try .adopt(.init(adopting: 3)) }

  /// Answers each message with itself, until the other side ends.
  func answer() throws {
    let end = try Self.inherited()
    switch self {
    case .plain, .waiting: PlainSocket(end, waits: self == .waiting).answer()
    case .bytes: try PortSide(end, .bytes).answer()
    case .codable: try PortSide<Letter>(end, .codable).answer()
    }
  }

  /// Takes so many, and then answers one.
  func take(_ count: Int) throws {
    let end = try Self.inherited()
    switch self {
    case .plain, .waiting: PlainSocket(end, waits: false).take(count)
    case .bytes: try PortSide(end, .bytes).take(count)
    case .codable: try PortSide<Letter>(end, .codable).take(count)
    }
  }

  /// Sends so many, one after the answer to the other; gives when it began.
  func ask(_ end: consuming RunLoop.PortEnd, _ size: Int, _ count: Int) throws -> UInt64 {
    switch self {
    case .plain, .waiting: PlainSocket(end, waits: self == .waiting).ask(size, count)
    case .bytes: try PortSide(end, .bytes).ask([UInt8](repeating: 1, count: size), count)
    case .codable: try PortSide(end, .codable).ask(Letter(size), count)
    }
  }

  /// Sends so many as fast as they are taken, and waits for one answer; gives when it began.
  func send(_ end: consuming RunLoop.PortEnd, _ size: Int, _ count: Int) throws -> UInt64 {
    switch self {
    case .plain, .waiting: PlainSocket(end, waits: false).send(size, count)
    case .bytes: try PortSide(end, .bytes).send([UInt8](repeating: 1, count: size), count)
    case .codable: try PortSide(end, .codable).send(Letter(size), count)
    }
  }
}

/// A message as programs have them.
struct Letter: Codable, Sendable {
  var id: UInt64 = 70_000
  var title = "a short title"
  var isLast = false
  var body: [UInt8]

  init(_ size: Int) { body = [UInt8](repeating: 1, count: size) }
}
