import Foundation
import MainspringTesting
import Testing

@testable import StallReport

@Suite struct `Exports of any report` {
  private static let hostile = "a;b\n\"c\u{0}\u{7F}\u{2028}\u{202E}😀\\ 7"

  @Test(arguments: ExportFormat.allCases)
  func `no report at all makes a file, too`(format: ExportFormat) throws {
    try check(format.encode([]), format)
  }

  @Test(arguments: ExportFormat.allCases)
  func `a report without samples, frames, end and names counts as its length`(format: ExportFormat) throws {
    var report = Report.bare()
    report.app.name = ""
    report.loop.name = ""
    try check(format.encode([report]), format)
    #expect(try milliseconds(format.encode([report]), format) ?? 1712 == 1712)
  }

  @Test(arguments: ExportFormat.allCases)
  func `references that lead nowhere, and times beyond belief, are no harm`(format: ExportFormat) throws {
    var report = Report.full()
    report.time.startUnix.nanoseconds = .max
    report.time.endUnix = nil
    report.time.duration = .seconds(Int64.max)
    report.samples[0].stack = 99
    report.samples[1].stack = -1
    report.samples[2].weight = .seconds(Int64.min)
    report.samples[3].time = .seconds(Int64.min)
    report.threads[1].stack = 99
    report.passes.before[0].time = .seconds(Int64.min)
    report.breadcrumbs[0].time = .seconds(Int64.max)
    let frame = Report.Frame(image: 99, offset: .max, symbol: nil)
    report.samples[4].stack = report.stacks.index(ofStack: [frame, frame])
    report.stacks.images[0] = .init(name: "", buildID: "xyz", base: .max, end: 0, isInApp: true)
    try check(format.encode([report, report]), format)
  }

  @Test(arguments: ExportFormat.allCases)
  func `hostile names stay names`(format: ExportFormat) throws {
    var report = Report.deadlocked()
    report.app = .init(name: Self.hostile, version: Self.hostile, buildID: Self.hostile)
    report.app.environment = Self.hostile
    report.loop.name = Self.hostile
    report.annotations = [Self.hostile: Self.hostile, "type": "x"]
    report.breadcrumbs = [.init(time: .zero, category: Self.hostile, message: Self.hostile)]
    report.threads[1].name.name = Self.hostile
    report.addSample(["!" + Self.hostile, "@" + Self.hostile])
    try check(format.encode([report]), format)
  }

  @Test(arguments: 1...25)
  func `the time of all stacks is the report's in every format that adds it up`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let reports = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Report.random(using: &random)
    }
    let expected = reports.map { Self.weight($0) }.reduce(.zero, +)
    for format in ExportFormat.allCases {
      let bytes = format.encode(reports)
      try check(bytes, format)
      guard let found = try milliseconds(bytes, format) else { continue }
      #expect(abs(found - expected / .milliseconds(1)) <= 1, "\(format), seed \(seed)")
    }
  }

  private static func weight(_ report: Report) -> Duration {
    if report.samples.allSatisfy({ $0.weight <= .zero }) { return report.time.duration }
    return report.samples.reduce(.zero) { $0 + max(.zero, $1.weight) }
  }

  @Test(arguments: ExportFormat.allCases)
  func `four times the samples make at most some four times the length`(format: ExportFormat) {
    #expect(length(of: 80, nameLength: 10, in: format) <= 5 * length(of: 20, nameLength: 10, in: format))
  }

  @Test(arguments: ExportFormat.allCases.filter { $0 != .sentry })
  func `long names do not make long files, but where the report is attached`(format: ExportFormat) {
    let usual = length(of: 10, nameLength: 400, in: format)
    #expect(length(of: 10, nameLength: 20_000, in: format) <= usual + usual / 10)
  }

  private func length(of count: Int, nameLength: Int, in format: ExportFormat) -> Int {
    var report = Report.bare()
    for number in 0..<count {
      let stack = (0..<10).map { "!f\($0 % 7) \(number % 5)" + String(repeating: "x", count: nameLength) }
      report.addSample(stack + ["@timer"])
    }
    // Of names of any length: not by the culprit's rules, which are not what is tried here.
    report.fingerprint = Report.bare().fingerprinted.fingerprint
    return format.encode([report]).count - format.encode([.bare()]).count
  }

  /// Whether it is what the format says.
  private func check(_ bytes: [UInt8], _ format: ExportFormat) throws {
    switch format {
    case .collapsed: _ = CollapsedText(bytes)
    case .pprof: _ = try ReadPprof(bytes).samples()
    case .sentry:
      for envelope in try ReadEnvelope.all(in: bytes) { _ = try envelope.event }
    case .speedscope, .chromeTrace, .firefox, .otlp:
      _ = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
    if format.isText { #expect(String(validating: bytes, as: UTF8.self) != nil) }
  }

  /// The time of all stacks of stalled threads; nil where the format does not add it up.
  private func milliseconds(_ bytes: [UInt8], _ format: ExportFormat) throws -> Double? {
    switch format {
    case .collapsed: return Double(CollapsedText(bytes).weight)
    case .pprof: return try ReadPprof(bytes).samples().map { Double($0.values[1]) / 1e6 }.reduce(0, +)
    case .speedscope:
      let file = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let profiles = (file?["profiles"] as? [[String: Any]] ?? []).filter { $0["unit"] as? String != "none" }
      return profiles.flatMap { $0["weights"] as? [Double] ?? [] }.reduce(0, +)
    case .firefox:
      let file = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let threads = (file?["threads"] as? [[String: Any]] ?? []).map(ReadFirefoxThread.init)
      return threads.flatMap { $0.column("samples", "weight") as? [Double] ?? [] }.reduce(0, +)
    case .chromeTrace, .otlp, .sentry: return nil
    }
  }
}
