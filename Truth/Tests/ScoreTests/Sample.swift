import TruthLog

/// Injections and reports at times in ms, with a threshold of 50 ms.
enum Sample {
  static func truth(
    _ id: Int, from start: Int, to end: Int, meant: Int? = nil, loop: String = "main", cell: String = "c",
    class meantClass: String = "busy"
  ) -> Truth {
    var truth = Truth(
      id: id, cell: cell, loop: loop, interval: interval(start, end),
      meant: UInt64(meant ?? end - start) * 1_000_000,
      phase: "timer", meantClass: meantClass)
    truth.function = "spin"
    truth.cpu = meantClass == "busy" ? truth.interval.length : 0
    truth.runnable = 0
    return truth
  }

  static func told(_ id: String, from start: Int, to end: Int, loop: String = "main") -> Told {
    var told = Told(teller: "monitor", id: id, loop: loop, interval: interval(start, end))
    told.culprit = "Module.spin(_:)"
    told.chain = ["call()", "spin(_:)"]
    told.verdict = "busy"
    told.phase = "timer"
    told.detected = told.interval.start + 55_000_000
    told.tick = 10_000_000
    (told.startUncertainty, told.endUncertainty) = (4_000_000, 4_000_000)
    (told.sampleCount, told.costs) = (2, [8000, 9000])
    return told
  }

  static func interval(_ start: Int, _ end: Int) -> Interval {
    Interval(UInt64(start) * 1_000_000, UInt64(end) * 1_000_000)
  }

  static func session(_ truths: [Truth], _ told: [Told], stops: [Interval] = []) -> Session {
    var session = Session()
    session.threshold = 50_000_000
    (session.saturation, session.starvation) = (150_000_000, 300_000_000)
    (session.truths, session.told, session.stops) = (truths, told, stops)
    return session
  }
}
