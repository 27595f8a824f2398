extension Report {
  /// The report that JSON text of the schema `stall-report/1` stands for, compact or pretty, of any state.
  ///
  /// The text may come from anywhere: everything in it is checked before it is believed, and no text makes this trap.
  /// Members that are not known are left alone. What is null or not there is unknown, unless a report says nothing without
  /// it. Spans are exact as they stand in the text; the encoder rounds them to a thousandth of their unit.
  /// - Throws: The first thing that is wrong, with its place.
  /// - Complexity: O(length of the text).
  public init(json bytes: [UInt8]) throws(DecodingError) {
    let report = try JSONObject(try JSONParser.value(of: bytes))
    let schema: String = try report.required("schema")
    guard schema == Self.schema else { throw DecodingError(.unknownSchema(schema), at: "schema") }
    self.init(
      id: try report.required("report_id"), kind: try report.required("kind"),
      state: try report.required("state"), app: try report.required("app"),
      process: try report.required("process"), loop: try report.required("loop"),
      phase: try report.required("phase"), time: try report.required("time"),
      cost: try report.known("cost") ?? Cost(), monitor: try report.required("monitor"))
    try readCircumstances(report)
    try readEvidence(report)
    try readSurroundings(report)
  }

  private mutating func readCircumstances(_ report: JSONObject) throws(DecodingError) {
    host = try report.known("host") ?? Host()
    device = try report.known("device") ?? Device()
    shape = try report.known("shape") ?? Shape()
    confidence = try report.known("confidence") ?? Confidence()
  }

  private mutating func readEvidence(_ report: JSONObject) throws(DecodingError) {
    let names: FrameNames
    (stacks, names) = try StackTable.read(report)
    let stackCount = stacks.stacks.count
    fingerprint = try report.known("fingerprint") { (json) throws(DecodingError) in
      try Fingerprint(json, frames: names)
    }
    samples = try report.list("samples", atMost: .samples) { (json, _) throws(DecodingError) in
      try Sample(json, stackCount: stackCount)
    }
    samplesDropped = try report.known("samples_dropped") ?? 0
    threads = try report.list("threads", atMost: .threads) { (json, _) throws(DecodingError) in
      try Thread(json, stackCount: stackCount)
    }
    waits = try report.known("waits") ?? Waits()
    try checkNamedBytes()
  }

  private mutating func readSurroundings(_ report: JSONObject) throws(DecodingError) {
    annotations = try report.dictionary("annotations", String.init(json:)) ?? [:]
    breadcrumbs = try report.known("breadcrumbs") ?? []
    passes = try report.known("passes") ?? Passes()
    links = try report.known("links") ?? Links()
    sampling = try report.known("sampling") ?? .unknown
    let applied: [String]? = try report.known("redaction") { (json) throws(DecodingError) in
      try JSONObject(json).known("applied") ?? []
    }
    redactions = applied ?? []
  }

  /// Whoever shows the report goes along each stack for each sample and thread that has it.
  private func checkNamedBytes() throws(DecodingError) {
    // What a frame takes beside its name.
    let frameByteCount = 32
    let frames = stacks.frames.map { frameByteCount + ($0.symbol?.utf8.count ?? 0) }
    var lengths: [Int] = []
    for stack in stacks.stacks {
      let length = stack.reduce(0) { $0 + frames[$1] }
      try DecodingError.Limit.namedBytes.check(length)
      lengths.append(length)
    }
    var sum = 0
    for case let stack? in samples.map(\.stack) + threads.map(\.stack) {
      sum += lengths[stack]
      try DecodingError.Limit.namedBytes.check(sum)
    }
  }
}
