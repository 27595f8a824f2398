import StallReport

/// What the program says of itself, one JSON object a line.
struct Status {
  /// Why it is written: "first screen", "tracking ended", …
  var event: String
  /// Since the program began.
  var milliseconds: Int
  var mode: String
  /// Whether the list stands still and nothing is left to be loaded.
  var isSettled: Bool
  var offset: Int
  var visible: Range<Int>
  var empty: Int
  var waiting: Int
  var counts: Cells.Counts
  var tracking: FrameMeter.Counts
  var resting: FrameMeter.Counts
  var clockInDefaultMode: Int
  var clockInCommonModes: Int
  var firstScreenMilliseconds: Int?
  /// The report of a stall, where that is the event.
  var report: Report?

  var line: String {
    var json = JSONWriter()
    json.object { json in
      json.member("event", event)
      json.member("ms", milliseconds)
      json.member("mode", mode)
      json.member("is_settled", isSettled)
      json.member("offset", offset)
      json.member("first_cell", visible.lowerBound)
      json.member("cells", visible.count)
      json.member("empty", empty)
      json.member("waiting", waiting)
      json.member("loaded", counts.loaded)
      json.member("in_vain", counts.inVain)
      json.member("given_up", counts.givenUp)
      json.member("failed", counts.failed)
      json.member("tracking") { tracking.write(to: &$0) }
      json.member("resting") { resting.write(to: &$0) }
      json.member("clock_default", clockInDefaultMode)
      json.member("clock_common", clockInCommonModes)
      json.member("first_screen_ms", firstScreenMilliseconds)
      if let report {
        json.member("headline", report.headline)
        json.member("culprit", report.culprit.name)
        json.member("location", report.culpritLocation?.description)
        json.member("callout", report.calloutLocation?.description)
        json.member("chain", report.culprit.chain)
      }
    }
    return json.text + "\n"
  }
}

extension FrameMeter.Counts {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("shown", Int(shown))
      json.member("missed_busy", Int(missedBusy))
      json.member("missed_starved", Int(missedStarved))
      json.member("longest_busy_us", Int(longestBusy / 1000))
    }
  }
}

extension Report {
  /// Where the culprit is, if that is known.
  var culpritLocation: SourceLocation? { culprit.frame.flatMap { stacks.frames[$0].location } }
  /// Where the callout was made that held the loop up.
  var calloutLocation: SourceLocation? { phase.item?.madeAt }
}
