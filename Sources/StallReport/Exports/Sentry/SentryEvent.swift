/// An event of Sentry's: the stall as an exception that was not thrown (`synthetic`), whose stack trace is the culprit's.
struct SentryEvent {
  /// Who sends.
  struct Client: JSONEncodable {
    var version: String

    func encode(to json: inout JSONWriter) {
      json.object { json in
        json.member("name", "mainspring")
        json.member("version", version)
      }
    }
  }

  let report: Report
  let issue: Report.Fingerprint
  let culprit: String?

  init(_ report: Report) {
    self.report = report
    issue = report.fingerprint ?? Report.Fingerprint(of: report)
    culprit = report.culpritName
  }

  func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("event_id", report.id.description)
      json.member("timestamp", CivilTime(report.time.startUnix).description)
      json.member("platform", "native")
      json.member("level", level)
      json.member("logger", "mainspring.stall")
      json.memberIfKnown("release", release)
      json.memberIfKnown("dist", report.app.build.map(Self.name))
      json.memberIfKnown("environment", report.app.environment.flatMap(environment))
      json.memberIfKnown("server_name", report.host.name?.exported)
      json.member("transaction", Self.name("\(report.loop.name): \(report.phase.name.callout)"))
      // The issue, not the variant: which callers led to a culprit is no matter of its own.
      json.member("fingerprint", ["stall-v\(issue.version)", issue.level1])
      json.member("sdk", Client(version: report.monitor.version.exported))
      json.member("exception") { json in Self.values(to: &json) { $0.array(of: [report], writeException) } }
      writeThreads(to: &json)
      json.member("debug_meta") { json in
        json.object { json in json.member("images") { $0.array(of: debugImages, Self.write) } }
      }
      json.member("breadcrumbs") { json in Self.values(to: &json) { $0.array(of: breadcrumbs, Self.write) } }
      writeTags(to: &json)
      json.member("contexts") { $0.object(writeContexts) }
    }
    return json.bytes
  }

  static func values(to json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
    json.object { json in json.member("values", body) }
  }

  private var level: String {
    if report.state == .unrecovered { return "fatal" }
    return report.time.duration >= Report.severeLength ? "error" : "warning"
  }

  /// `name@version+build`, without what Sentry has no place for in it.
  private var release: String? {
    guard let version = report.app.version else { return nil }
    let build = report.app.build.map { "+" + $0 } ?? ""
    let text = "\(report.app.name)@\(version)\(build)".exported
    return Self.name(String(text.map { "/\\\n\r\t".contains($0) ? "_" : $0 }))
  }

  /// Sentry takes 64 characters, and neither spaces nor slashes.
  private func environment(_ name: String) -> String? {
    let text = String(name.exported.map { $0 == "/" || $0.isWhitespace ? "_" : $0 }.prefix(64))
    return text.isEmpty || text.lowercased() == "none" ? nil : text
  }

  /// Names of some kinds may have 200 characters.
  private static func name(_ text: String) -> String { String(text.exported.prefix(199)) }

  /// What lists of issues can be searched by.
  private func writeTags(to json: inout JSONWriter) {
    let tags: [(String, String?)] = [
      ("stall.kind", report.kind.rawValue), ("stall.state", report.state.rawValue),
      ("stall.class", report.cost.verdict?.rawValue), ("stall.loop", report.loop.name),
      ("stall.loop_kind", report.loop.kind.rawValue), ("stall.mode", report.loop.mode),
      ("stall.phase", report.phase.name.rawValue), ("stall.culprit", culprit),
      ("stall.variant", issue.hash), ("stall.syscall", report.cost.systemCall),
      ("container", report.host.container), ("commit", report.app.commit),
    ]
    json.member("tags") { json in
      json.object { json in
        for (name, value) in tags {
          // A tag without a value is an error there.
          if let value = value.map(Self.name), !value.isEmpty { json.member(name, value) }
        }
      }
    }
  }

  /// A line of what happened before.
  private struct Breadcrumb {
    var time: Duration
    var category: String
    var message: String
    var timestamp: String
  }

  /// The program's notes and the passes before, oldest first.
  private var breadcrumbs: [Breadcrumb] {
    let notes = report.breadcrumbs.map { ($0.time, $0.category.exported, $0.message.exported) }
    let passes = report.passes.before.map { pass in
      let items = pass.items.map { ", items: \($0)" } ?? ""
      let phase = pass.phase?.rawValue.exported ?? "pass"
      return (pass.time, "loop.pass", "\(phase)\(items), \(pass.duration.believable.spanText)")
    }
    return (notes + passes).sorted { $0.0 < $1.0 }.map { time, category, message in
      let (instant, overflow) = report.time.startUnix.nanoseconds.addingReportingOverflow(
        time.believableEitherWay.nanosecondsClamped)
      let when = overflow ? report.time.startUnix : Report.UnixTime(nanoseconds: instant)
      return Breadcrumb(
        time: time, category: category, message: message, timestamp: CivilTime(when).description)
    }
  }

  private static func write(_ json: inout JSONWriter, _ note: Breadcrumb) {
    json.object { json in
      json.member("timestamp", note.timestamp)
      json.member("category", note.category)
      json.member("message", note.message)
      json.member("level", "info")
    }
  }
}
