// What else was going on, and where else the stall is known.

extension Report.Breadcrumb: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let breadcrumb = try JSONObject(json)
    self.init(
      time: try breadcrumb.required("t_ms", Duration.init(milliseconds:)),
      category: try breadcrumb.required("cat"), message: try breadcrumb.required("msg"))
  }
}

extension Report.Passes: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let passes = try JSONObject(json)
    self.init()
    before = try passes.known("before") ?? []
    mergedIdle = try passes.milliseconds("merged_idle_ms")
    let counts = try passes.dictionary("hist_ms", Int.init(json:)) ?? [:]
    for (key, count) in counts {
      // `01` would be a second key of the same number.
      guard let milliseconds = Int(key), "\(milliseconds)" == key else {
        throw .malformed(key, expected: "a whole number of milliseconds").inside("hist_ms")
      }
      histogram[milliseconds] = count
    }
  }
}

extension Report.Pass: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let pass = try JSONObject(json)
    self.init(
      time: try pass.required("t_ms", Duration.init(milliseconds:)),
      duration: try pass.required("dur_ms", Duration.init(milliseconds:)))
    phase = try pass.known("phase")
    items = try pass.known("items")
    cpu = try pass.milliseconds("cpu_ms")
  }
}

extension Report.Links: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let links = try JSONObject(json)
    self.init()
    trace = try links.known("trace_id")
    span = try links.known("span_id")
    previousReport = try links.known("previous_report")
  }
}

extension Report.Sampling: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let sampling = try JSONObject(json)
    self.init()
    rate = try sampling.known("rate")
    suppressedSinceLast = try sampling.known("suppressed_since_last")
    sequence = try sampling.known("seq")
    reason = try sampling.known("reason")
  }

  /// Nothing known, not even that everything is reported.
  static var unknown: Self {
    var sampling = Self()
    sampling.rate = nil
    return sampling
  }
}
