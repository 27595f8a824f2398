import Foundation
import Testing

/// A trace, read back by a reader that is not ours: what lies within what, on each track.
struct ReadTrace {
  struct Slice: Equatable {
    var name: String
    /// How many slices lie around it.
    var depth: Int
    /// ns
    var start: UInt64
    /// ns; nil if the trace ends before.
    var end: UInt64?
    var arguments: [String: String]
  }

  private(set) var tracks: [Int: [Slice]] = [:]
  private(set) var names: [Int: String] = [:]
  /// How many steps it says are lost, one number for each place where some are.
  private(set) var losses: [Int] = []
  /// What its end says of that; nil if it has none.
  private(set) var lostAtEnd: Int?

  init(_ path: String) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    let events = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    var open: [Int: [Int]] = [:]
    var last: [Int: UInt64] = [:]
    for event in events {
      let track = try #require(event["tid"] as? Int)
      let name = try #require(event["name"] as? String)
      let arguments = (event["args"] as? [String: Any] ?? [:]).mapValues { "\($0)" }
      let kind = event["ph"] as? String
      if kind == "M" {
        if name == "thread_name" { names[track] = arguments["name"] }
        continue
      }
      let microseconds = try #require(event["ts"] as? Double)
      let time = UInt64((microseconds * 1000).rounded())
      #expect(time >= last[track] ?? 0, "\(name) goes back in time")
      last[track] = time
      switch kind {
      case "B":
        open[track, default: []].append(tracks[track, default: []].count)
        tracks[track, default: []].append(
          Slice(
            name: name, depth: open[track, default: []].count - 1, start: time, arguments: arguments))
      case "E":
        let index = open[track]?.popLast()
        let begun = try #require(index, "an end without a beginning")
        tracks[track]?[begun].end = time
      default:
        let lost = try #require(Int(arguments["lost steps"] ?? ""))
        if name == "end of the trace" { lostAtEnd = lost } else { losses.append(lost) }
      }
    }
    #expect(open.values.joined().isEmpty, "a beginning without an end")
  }

  /// The only track.
  var slices: [Slice] { tracks.count == 1 ? tracks.first!.value : [] }

  /// Each slice with a space for each that lies around it; of callouts the kind.
  var outline: [String] { Self.outline(slices) }

  static func outline(_ slices: [Slice]) -> [String] {
    slices.map { slice in
      let isCallout = slice.arguments["made at"] != nil
      let name = isCallout ? String(slice.name.prefix { $0 != " " }) : slice.name
      return String(repeating: " ", count: slice.depth) + name
    }
  }
}
