/// speedscope's file: frames once for all, and a profile for each report and thread.
struct SpeedscopeExport {
  private struct Frame: Hashable {
    var name: String
    var location: Report.SourceLocation?
  }

  private struct Profile {
    var name: String
    var unit: String
    var end: Duration
    var stacks: [[Int]]
    var weights: [Duration]
  }

  private var frames: [Frame] = []
  private var indexOfFrame: [Frame: Int] = [:]
  private var profiles: [Profile] = []

  init(_ reports: [Report]) {
    for report in reports { add(report) }
  }

  private mutating func add(_ report: Report) {
    let indices = report.stacks.frames.indices.map { frame in
      index(
        of: Frame(name: report.exportedName(ofFrame: frame), location: report.stacks.frames[frame].location))
    }
    for profile in report.profiles where !profile.stretches.isEmpty {
      let thread = Report.exportedName(of: profile.name)
      let what = "\(report.app.name.exported) \(thread)"
      profiles.append(
        Profile(
          name: profile.isStalled
            ? "\(CivilTime(report.time.startUnix).description) \(what): \(report.headline.exported), \(report.issueTitle)"
            : "\(CivilTime(report.time.startUnix).description) \(what), one look",
          // One look stands for no time.
          unit: profile.isStalled ? "milliseconds" : "none",
          end: max(profile.length, profile.isStalled ? report.time.duration.believable : .milliseconds(1)),
          stacks: profile.stretches.map { stretch in
            stretch.frames.isEmpty
              ? [index(of: Frame(name: Report.noStack, location: nil))] : stretch.frames.map { indices[$0] }
          },
          weights: profile.isStalled ? profile.stretches.map(\.length) : [.milliseconds(1)]))
    }
  }

  private mutating func index(of frame: Frame) -> Int {
    if let known = indexOfFrame[frame] { return known }
    frames.append(frame)
    indexOfFrame[frame] = frames.count - 1
    return frames.count - 1
  }

  func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("$schema", "https://www.speedscope.app/file-format-schema.json")
      json.member("exporter", "mainspring")
      json.member("name", profiles.count == 1 ? profiles[0].name : "\(profiles.count) threads of stalls")
      json.member("activeProfileIndex", 0)
      json.member("shared") { json in
        json.object { $0.member("frames") { $0.array(of: frames, Self.write) } }
      }
      json.member("profiles") { $0.array(of: profiles, Self.write) }
    }
    return json.bytes
  }

  private static func write(_ json: inout JSONWriter, _ frame: Frame) {
    json.object { json in
      json.member("name", frame.name)
      json.memberIfKnown("file", frame.location?.file.exported)
      json.memberIfKnown("line", frame.location?.line)
    }
  }

  private static func write(_ json: inout JSONWriter, _ profile: Profile) {
    json.object { json in
      json.member("type", "sampled")
      json.member("name", profile.name)
      json.member("unit", profile.unit)
      json.member("startValue", 0)
      json.member("endValue") { $0.milliseconds(profile.end) }
      json.member("samples", profile.stacks)
      json.member("weights") { json in json.array(of: profile.weights) { $0.milliseconds($1) } }
    }
  }
}
