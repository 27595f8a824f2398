/// An event of the Trace Event Format, which is how Chromium writes its traces.
struct TraceEvent {
  enum Phase: String {
    case complete = "X"
    case instant = "i"
    case counter = "C"
    case arrowStart = "s"
    case arrowEnd = "f"
    case metadata = "M"
  }

  enum Argument {
    case text(String)
    case number(Int)
    case time(Duration)
    case decimal(Double)
    case yes
  }

  var phase: Phase
  var name: String
  var category = "stall"
  /// The report's number: those of processes may come up twice.
  var process: Int
  var thread: Int
  /// On the axis of ``ExportTimeline``.
  var time: Duration?
  var end: Duration?
  /// What ties both ends of an arrow together.
  var arrow: Int?
  /// One of the names of colours that the viewers know.
  var color: String?
  var arguments: [(String, Argument?)] = []

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("ph", phase.rawValue)
      json.member("name", name)
      json.member("cat", category)
      json.member("pid", process)
      json.member("tid", thread)
      if let time { json.member("ts", microseconds: time.wholeNanoseconds) }
      // Both ends are rounded, not the length: what lies within another is to stay within.
      if let time, let end {
        json.member("dur", microseconds: max(.zero, end.wholeNanoseconds - time.wholeNanoseconds))
      }
      json.memberIfKnown("id", arrow)
      json.memberIfKnown("bp", phase == .arrowEnd ? "e" : nil)
      json.memberIfKnown("s", phase == .instant ? "t" : nil)
      json.memberIfKnown("cname", color)
      let known = arguments.compactMap { name, value in value.map { (name, $0) } }
      guard !known.isEmpty else { return }
      json.member("args") { json in
        json.object { json in
          for (name, value) in known { Self.write(value, as: name, to: &json) }
        }
      }
    }
  }

  private static func write(_ value: Argument, as name: String, to json: inout JSONWriter) {
    switch value {
    case .text(let text): json.member(name, text.exported)
    case .number(let number): json.member(name, number)
    case .time(let span): json.member(name, milliseconds: span)
    case .decimal(let number): json.member(name, number: number)
    case .yes: json.member(name, true)
    }
  }
}

extension Duration {
  fileprivate var wholeNanoseconds: Duration { .nanoseconds(nanosecondsClamped) }
}
