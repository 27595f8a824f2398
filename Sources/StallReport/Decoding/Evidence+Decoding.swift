// Samples, threads and waits, and what groups a stall with its like.

extension Report.Fingerprint {
  init(_ json: JSONValue, frames: FrameNames) throws(Report.DecodingError) {
    let fingerprint = try JSONObject(json)
    self.init(
      version: try fingerprint.required("v"), hash: try fingerprint.required("hash", Self.digits),
      level1: try fingerprint.required("level1", Self.digits),
      culprit: try fingerprint.known("culprit", frames.index), title: try fingerprint.required("title"),
      basis: try fingerprint.known("basis") ?? [])
  }

  /// Digits in base sixteen: they become parts of keys and of names of files.
  private static func digits(_ json: JSONValue) throws(Report.DecodingError) -> String {
    let digits = try String(json: json)
    guard (1...64).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ Hexadecimal.value(ofDigit: $0) != nil })
    else { throw .malformed(digits, expected: "hexadecimal digits") }
    return digits
  }
}

extension Report.Sample {
  init(_ json: JSONValue, stackCount: Int) throws(Report.DecodingError) {
    let sample = try JSONObject(json)
    self.init(
      time: try sample.required("t_ms", Duration.init(milliseconds:)),
      stack: try sample.stack(of: stackCount),
      weight: try sample.required("weight_ms", Duration.init(milliseconds:)),
      state: try sample.known("state", Character.init(json:)), cost: try sample.microseconds("cost_us"),
      method: try sample.required("how"))
  }
}

extension Report.Sample.Method: JSONDecodable {}

extension Report.Thread {
  init(_ json: JSONValue, stackCount: Int) throws(Report.DecodingError) {
    let thread = try JSONObject(json)
    self.init(name: try Report.ThreadName(json: json), isStalled: try thread.required("stalled"))
    state = try thread.known("state", Character.init(json:))
    cpu = try thread.milliseconds("cpu_ms")
    stack = try thread.stack(of: stackCount)
    registers = try thread.dictionary("registers", UInt64.init(address:))
    waitsOn = try thread.known("waits_on")
  }
}

extension JSONObject {
  /// The index of one of so many stacks.
  fileprivate func stack(of count: Int) throws(Failure) -> Int? {
    try known("stack") { (json) throws(Failure) in try Int(json: json, of: "stacks", count: count) }
  }
}

extension Character: JSONDecodable {
  /// The scheduler's letter for a state.
  init(json: JSONValue) throws(Report.DecodingError) {
    let text = try String(json: json)
    guard text.count == 1 else { throw .malformed(text, expected: "one letter") }
    self = Character(text)
  }
}

extension Report.WaitTarget: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let target = try JSONObject(json)
    self.init(
      kind: try target.required("kind"), address: try target.address("addr"),
      owner: try target.known("owner_tid"))
  }
}

extension Report.Waits: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let waits = try JSONObject(json)
    self.init()
    cycle = try waits.known("cycle") { (json) throws(Report.DecodingError) in
      try json.elements(atMost: .threads) { (tid, _) throws(Report.DecodingError) in try Int(json: tid) }
    }
    edges = try waits.list("edges", atMost: .threads) { (json, _) throws(Report.DecodingError) in
      try Edge(json: json)
    }
  }
}

extension Report.Waits.Edge: JSONDecodable {
  /// Three values: who waits, on whom, and how.
  init(json: JSONValue) throws(Report.DecodingError) {
    guard case .array(let parts) = json else { throw json.mismatch(.array) }
    guard parts.count == 3 else {
      throw .malformed("\(parts.count) values", expected: "thread, thread and kind of wait")
    }
    self.init(
      waiter: try Int(json: parts[0]), owner: try Int(json: parts[1]), kind: try String(json: parts[2]))
  }
}
