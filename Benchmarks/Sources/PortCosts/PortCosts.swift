import Glibc
import Mainspring
import MainspringPorts

/// What a message between two processes costs: plain calls on a socket, a port of bytes, a port of `Codable` messages, in
/// turns of one run. The other process is this program once more.
@main
struct PortCosts {
  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case "answer":
      try Side.named(CommandLine.arguments[2]).answer()
      return
    case "take":
      try Side.named(CommandLine.arguments[2]).take(Int(CommandLine.arguments[3])!)
      return
    default: break
    }
    print(
      "bytes of content  on the way   round trip, ns: plain  waited for  bytes  codable   one way, ns: plain  bytes  codable"
    )
    for size in [16, 256, 4096, 32768] {
      var trips = Side.all.map { _ in Double.infinity }
      var ways = trips
      for _ in 0..<turns {
        for (index, side) in Side.all.enumerated() {
          trips[index] = min(trips[index], try roundTrip(side, size))
          if side != .waiting { ways[index] = min(ways[index], try oneWay(side, size)) }
        }
      }
      let overhead = try Letter(size).encodedByteCount - size
      print(
        columns([size, size + 2 + overhead], [17, 12]), columns(trips.map(Int.init), [24, 12, 7, 9]),
        columns([ways[0], ways[2], ways[3]].map(Int.init), [21, 7, 9]))
    }
    try printCoding()
  }

  private static let turns = 5

  private static func columns(_ figures: [Int], _ widths: [Int]) -> String {
    zip(figures, widths).map { figure, width in
      let text = "\(figure)"
      return String(repeating: " ", count: max(0, width - text.count)) + text
    }.joined()
  }

  private static func roundTrip(_ side: Side, _ size: Int) throws -> Double {
    let count = size > 10_000 ? 5_000 : 20_000
    let partner = try Partner(["answer", side.rawValue])
    return try nanoseconds(of: count) {
      try side.ask(partner.takeEnd(), size, count)
    } finally: {
      partner.reap()
    }
  }

  private static func oneWay(_ side: Side, _ size: Int) throws -> Double {
    let count = size > 10_000 ? 10_000 : 50_000
    let partner = try Partner(["take", side.rawValue, "\(count)"])
    return try nanoseconds(of: count) {
      try side.send(partner.takeEnd(), size, count)
    } finally: {
      partner.reap()
    }
  }

  /// The sides say when they begin: the other process is there by then.
  private static func nanoseconds(
    of count: Int, _ body: () throws -> UInt64, finally: () -> Void
  ) throws -> Double {
    let begin = try body()
    let end = now()
    finally()
    return Double(end - begin) / Double(count)
  }

  private static func printCoding() throws {
    print("\nmessage                      bytes   encode, ns   decode, ns")
    try Coding.printAll()
  }
}

func now() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
