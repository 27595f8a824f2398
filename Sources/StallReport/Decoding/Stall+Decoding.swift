// The parts of a report that say what happened, when, and at what cost.

extension Report.Phase: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let phase = try JSONObject(json)
    self.init(
      name: try phase.required("name"), source: try phase.known("source"), item: try phase.known("item"))
    confidence = try phase.known("confidence")
  }
}

extension Report.Phase.Evidence: JSONDecodable {}
extension Report.PhaseName: JSONDecodable {}

extension Report.Item: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let item = try JSONObject(json)
    self.init(kind: try item.required("kind"), madeAt: try item.known("made_at"))
    symbol = try item.known("symbol")
    scheduled = try item.known("scheduled_unix_ns")
    late = try item.milliseconds("late_ms")
  }
}

extension Report.SourceLocation: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let location = try JSONObject(json)
    self.init(file: try location.required("file"), line: try location.required("line"))
  }
}

extension Report.UnixTime: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    self.init(nanoseconds: try Int64(nanoseconds: json))
  }
}

extension Report.MonotonicTime: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    self.init(nanoseconds: try UInt64(nanoseconds: json))
  }
}

extension Report.Time: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let time = try JSONObject(json)
    self.init(
      startUnix: try time.required("start_unix_ns"), start: try time.required("start_mono_ns"),
      end: try time.known("end_mono_ns"),
      threshold: try time.required("threshold_ms", Duration.init(milliseconds:)),
      duration: try time.required("duration_ms", Duration.init(milliseconds:)))
    // The other clock may have been set in between.
    endUnix = try time.known("end_unix_ns")
    if let end, end < start { throw Report.DecodingError(.endsBeforeStart, at: "end_mono_ns") }
    if duration < .zero { throw Report.DecodingError(.endsBeforeStart, at: "duration_ms") }
    startUncertainty = try time.milliseconds("start_uncertainty_ms")
    endUncertainty = try time.milliseconds("end_uncertainty_ms")
    detectedAfter = try time.milliseconds("detected_after_ms")
    excluded = try time.milliseconds("excluded_ms")
  }
}

extension Report.Cost: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let cost = try JSONObject(json)
    self.init(
      window: try cost.milliseconds("window_ms"), cpu: try cost.milliseconds("cpu_ms"),
      runnable: try cost.milliseconds("runnable_ms"), offCPU: try cost.milliseconds("offcpu_ms"))
    // Whoever wrote it may have known more than the times.
    verdict = try cost.known("class")
    majorFaults = try cost.known("majflt")
    minorFaults = try cost.known("minflt")
    voluntarySwitches = try cost.known("nvcsw")
    involuntarySwitches = try cost.known("nivcsw")
    cpuPressure = try cost.known("psi_cpu_some_avg10")
    ioPressure = try cost.known("psi_io_some_avg10")
    memoryPressure = try cost.known("psi_mem_some_avg10")
    systemCall = try cost.known("syscall")
    waitChannel = try cost.known("wchan")
  }
}

extension Report.Verdict: JSONDecodable {}

extension Report.Shape: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let shape = try JSONObject(json)
    self.init()
    itemsInPass = try shape.known("items_in_pass")
    longestItem = try shape.milliseconds("longest_item_ms")
    verdict = try shape.known("verdict")
    stackStability = try shape.known("stack_stability")
  }
}

extension Report.Shape.Verdict: JSONDecodable {}

extension Report.Confidence: JSONDecodable {
  init(json: JSONValue) throws(Report.DecodingError) {
    let confidence = try JSONObject(json)
    self.init()
    score = try confidence.known("score")
    watcherLate = try confidence.milliseconds("watcher_late_ms")
    suspended = try confidence.milliseconds("suspended_ms")
    clockStep = try confidence.milliseconds("clock_step_ms")
    flags = try confidence.known("flags") ?? []
  }
}
