/// A marker on a thread's track: a stretch or a moment, with fields that a schema explains.
struct FirefoxMarker {
  enum Schema: String, CaseIterable {
    case stall = "Stall"
    case pass = "Pass"
    case note = "Note"
    case wait = "Wait"
  }

  var schema: Schema
  var name: String
  var start: Duration
  /// nil: a moment.
  var end: Duration?
  var fields: [(String, String)]

  /// What belongs on this thread's track. All but waits are the stalled thread's.
  static func markers(
    of profile: ThreadProfile, in report: Report, timeline: ExportTimeline
  ) -> [Self] {
    let stallEnd = timeline.place(max(profile.length, report.time.duration.believable))
    var markers: [Self] = []
    if let target = profile.thread?.waitsOn {
      let text = report.targetText(waiter: profile.name.tid, holder: target.owner)
      markers.append(
        Self(
          schema: .wait, name: "waits", start: timeline.place(.zero), end: stallEnd,
          fields: [("text", "for \(text)".exported)]))
    }
    guard profile.isStalled else { return markers }
    for pass in report.passes.before where pass.time < .zero {
      let phase = pass.phase?.rawValue.exported ?? "?"
      let end = timeline.place(min(.zero, pass.time.believableEitherWay + pass.duration.believable))
      markers.append(
        Self(
          schema: .pass, name: "pass", start: timeline.place(pass.time), end: end,
          fields: [("text", phase + (pass.items.map { ", items: \($0)" } ?? ""))]))
    }
    for note in report.breadcrumbs {
      markers.append(
        Self(
          schema: .note, name: note.category.exported, start: timeline.place(note.time), end: nil,
          fields: [("text", note.message.exported)]))
    }
    markers.append(
      Self(
        schema: .stall, name: report.kind.rawValue, start: timeline.place(.zero), end: stallEnd,
        fields: report.markerFields))
    return markers
  }

  /// The table, column by column; `names` are the numbers of the markers' names.
  static func write(_ markers: [Self], names: [Int], to json: inout JSONWriter) {
    json.member("data") { json in
      json.array(of: markers) { json, marker in
        json.object { json in
          json.member("type", marker.schema.rawValue)
          for (name, value) in marker.fields { json.member(name, value) }
        }
      }
    }
    json.member("name", names)
    json.member("startTime") { json in json.array(of: markers) { $0.milliseconds($1.start) } }
    json.member("endTime") { json in json.array(of: markers) { $0.milliseconds($1.end) } }
    // 0: a moment; 1: a stretch.
    json.member("phase", markers.map { $0.end == nil ? 0 : 1 })
    json.member(
      "category",
      markers.map { $0.schema == .stall ? FirefoxCategory.culprit.rawValue : FirefoxCategory.loop.rawValue })
    json.member("length", markers.count)
  }
}

extension FirefoxMarker.Schema {
  /// The keys of the fields, and what they are called.
  private var fields: [(String, String)] {
    switch self {
    case .stall:
      [
        ("text", "What"), ("issue", "Issue"), ("culprit", "Culprit"), ("callout", "Callout"),
        ("report", "Report"), ("issueNumber", "Issue's number"), ("loop", "Loop"),
      ]
    case .pass, .note, .wait: [("text", "What")]
    }
  }

  static func write(_ json: inout JSONWriter, _ schema: Self) {
    json.object { json in
      json.member("name", schema.rawValue)
      json.member("display", ["marker-chart", "marker-table", "timeline-overview"])
      json.member("tooltipLabel", "{marker.name}: {marker.data.text}")
      json.member("tableLabel", "{marker.data.text}")
      json.member("chartLabel", "{marker.data.text}")
      json.member("data") { json in
        json.array(of: schema.fields) { json, field in
          json.object { json in
            json.member("key", field.0)
            json.member("label", field.1)
            json.member("format", "string")
            json.member("searchable", true)
          }
        }
      }
    }
  }
}

extension Report {
  fileprivate var markerFields: [(String, String)] {
    let known: [(String, String?)] = [
      ("text", headline.exported), ("issue", issueTitle), ("culprit", culpritName),
      ("callout", phase.item?.madeAt?.description.exported), ("report", id.description),
      ("issueNumber", fingerprint?.level1 ?? Fingerprint(of: self).level1), ("loop", loop.name.exported),
    ]
    return known.compactMap { name, value in value.map { (name, $0) } }
  }
}
