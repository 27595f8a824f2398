/// A profile of the Firefox Profiler's in its processed form: samples with the time that each stands for, categories for
/// whose code it is, and markers for the stall, the passes before, notes and waits.
struct FirefoxExport {
  /// The version of the form that is written. Readers know all older ones; from 56 on the tables are elsewhere, where not
  /// all of them look.
  static let version = 47
  /// The form of Gecko's own that belongs to it.
  static let geckoVersion = 27

  private let reports: [Report]
  private let timeline: ExportTimeline
  private var libraries = FirefoxLibraries()
  private var threads: [FirefoxThread] = []

  init(_ reports: [Report]) {
    self.reports = reports
    timeline = ExportTimeline(reports)
    for (index, report) in reports.enumerated() {
      for profile in report.profiles {
        threads.append(
          FirefoxThread(
            profile, of: report, process: index + 1, timeline: timeline, libraries: &libraries))
      }
    }
  }

  func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("meta") { $0.object(writeMeta) }
      json.member("libs") { $0.array(of: libraries.images, FirefoxLibraries.write) }
      json.member("pages", [Int]())
      json.member("counters", [Int]())
      json.member("threads") { json in json.array(of: threads) { $1.write(to: &$0) } }
    }
    return json.bytes
  }

  private func writeMeta(to json: inout JSONWriter) {
    let first = reports.first
    json.member("interval", 1)
    json.member(
      "startTime",
      milliseconds: first.map { .nanoseconds($0.time.startUnix.nanoseconds) - timeline.lead } ?? .zero)
    json.member("abi", first?.host.arch?.exported ?? "")
    json.member("misc", "")
    json.member("oscpu", first?.host.os?.exported ?? "Linux")
    json.member("platform", "Linux")
    json.member("processType", 0)
    json.member("product", first.map { "\($0.app.name.exported) \($0.app.version?.exported ?? "")" } ?? "")
    json.member("appBuildID", first?.app.build?.exported ?? "")
    json.member("importedFrom", "Mainspring")
    json.member("stackwalk", 1)
    json.member("debug", 0)
    json.member("toolkit", "")
    json.member("version", Self.geckoVersion)
    json.member("preprocessedProfileVersion", Self.version)
    json.member("symbolicated", true)
    json.member("sourceCodeIsNotOnSearchfox", true)
    json.member("usesOnlyOneStackType", true)
    json.member("doesNotUseFrameImplementation", true)
    json.memberIfKnown("logicalCPUs", first?.host.cpus)
    json.member("extensions") { json in
      json.object { json in
        for column in ["id", "name", "baseURL"] { json.member(column, [Int]()) }
        json.member("length", 0)
      }
    }
    json.member("sampleUnits") { json in
      json.object { json in
        json.member("time", "ms")
        json.member("eventDelay", "ms")
        json.member("threadCPUDelta", "µs")
      }
    }
    json.member("categories") { $0.array(of: FirefoxCategory.allCases, FirefoxCategory.write) }
    json.member("markerSchema") { $0.array(of: FirefoxMarker.Schema.allCases, FirefoxMarker.Schema.write) }
    json.member("initialVisibleThreads", Array(threads.indices.filter { threads[$0].profile.isStalled }))
    json.member("initialSelectedThreads", threads.isEmpty ? [] : [0])
  }
}
