/// A thread of a profile of the Firefox Profiler's, with its own tables: strings, functions, frames, stacks.
struct FirefoxThread {
  let profile: ThreadProfile
  private let report: Report
  private let process: Int
  private let timeline: ExportTimeline
  private var tables: FirefoxTables
  /// The samples' stacks; nil where there is none, at the end.
  private var stacks: [Int?] = []
  private let markers: [FirefoxMarker]

  init(
    _ profile: ThreadProfile, of report: Report, process: Int, timeline: ExportTimeline,
    libraries: inout FirefoxLibraries
  ) {
    self.profile = profile
    self.report = report
    self.process = process
    self.timeline = timeline
    tables = FirefoxTables(report)
    markers = FirefoxMarker.markers(of: profile, in: report, timeline: timeline)
    for stretch in profile.stretches {
      stacks.append(tables.stack(ofFrames: stretch.frames, libraries: &libraries))
    }
    for marker in markers { _ = tables.index(of: marker.name) }
  }

  func write(to json: inout JSONWriter) {
    // Names of markers are in the table already.
    var tables = tables
    let names = markers.map { tables.index(of: $0.name) }
    json.object { json in
      json.member("processType", "default")
      json.member("processName", processName)
      json.member("processStartupTime", 0)
      json.member("processShutdownTime", Int?.none)
      json.member("registerTime", 0)
      json.member("unregisterTime", Int?.none)
      json.member("pausedRanges", [Int]())
      json.member("name", Report.exportedName(of: profile.name) + (profile.isStalled ? ", stalled" : ""))
      json.member("isMainThread", profile.isStalled)
      json.member("pid", String(process))
      json.member("tid", profile.name.tid)
      json.member("samples") { $0.object(writeSamples) }
      json.member("markers") { $0.object { FirefoxMarker.write(markers, names: names, to: &$0) } }
      tables.write(to: &json)
    }
  }

  /// The process's real number is part of its name: as a number it would come up twice with two of its stalls.
  private var processName: String {
    let start = CivilTime(report.time.startUnix).description
    return "\(report.app.name.exported) [\(report.process.pid)] \(start)"
  }

  /// A sample begins when its stretch does, and is drawn up to the next: the last ends with one that has no stack and no
  /// weight. Of other threads there is one look at an unknown moment, which counts as a sample and stands for no time.
  private func writeSamples(to json: inout JSONWriter) {
    let begins = profile.stretches.map(\.start) + (profile.isStalled ? [profile.length] : [])
    let lengths = profile.stretches.map(\.length) + (profile.isStalled ? [.zero] : [])
    json.member("stack", profile.isStalled ? stacks + [nil] : stacks)
    json.member("time") { json in json.array(of: begins) { $0.milliseconds(timeline.place($1)) } }
    json.member("weightType", profile.isStalled ? "tracing-ms" : "samples")
    if profile.isStalled {
      json.member("weight") { json in json.array(of: lengths) { $0.milliseconds($1) } }
    } else {
      json.member("weight", Int?.none)
    }
    json.member("eventDelay", begins.map { _ in 0 })
    json.member("length", begins.count)
  }
}
