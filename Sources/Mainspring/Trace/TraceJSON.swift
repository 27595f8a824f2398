/// Writes events of the Trace Event Format, which is how Chromium writes its traces.
struct TraceJSON {
  var bytes: [UInt8] = []

  enum Value {
    case text(String)
    case number(Int)
  }

  /// Begins an event; to be ended by `end`.
  mutating func begin(_ phase: String, _ name: String, process: CInt, thread: CInt) {
    if !bytes.isEmpty { raw(",\n") }
    raw("{\"ph\":\"\(phase)\",\"name\":")
    text(name)
    raw(",\"pid\":\(process),\"tid\":\(thread)")
  }

  mutating func end() { raw("}") }

  mutating func member(_ name: String, _ value: String) {
    raw(",\"\(name)\":")
    text(value)
  }

  /// Three decimals: the format's unit is the microsecond, ours the nanosecond.
  mutating func member(_ name: String, microseconds nanoseconds: UInt64) {
    let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    raw(",\"\(name)\":\(whole).\(String(part + 1000).dropFirst())")
  }

  mutating func arguments(_ arguments: [(String, Value)]) {
    raw(",\"args\":{")
    for (index, (name, value)) in arguments.enumerated() {
      if index > 0 { raw(",") }
      text(name)
      raw(":")
      switch value {
      case .text(let text): self.text(text)
      case .number(let number): raw(String(number))
      }
    }
    raw("}")
  }

  private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func text(_ text: String) {
    raw("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": raw("\\\"")
      case "\\": raw("\\\\")
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        raw("\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst())
      default: bytes.append(contentsOf: UTF8.encode(scalar)!)
      }
    }
    raw("\"")
  }
}
