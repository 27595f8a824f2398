import Foundation
import Gzip
import StallReport
import Testing

@Suite struct `mainspring report` {
  /// A folder of its own for each test.
  private final class Folder {
    let path: String

    init() throws {
      path = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString)").path()
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], to name: String) throws {
      let url = URL(filePath: "\(path)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }

    func write(_ report: Report, to name: String) throws {
      let line = Array((report.json() + "\n").utf8)
      try write(name.hasSuffix(".gz") ? Gzip.compress(line) : line, to: name)
    }
  }

  private static func report(
    _ number: UInt64, at seconds: Int64, title: String = "f() in timer callback",
    state: Report.State = .recovered
  ) -> Report {
    var report = Report(
      id: .init(high: number, low: 2), kind: .stall, state: state, app: .init(name: "maild"),
      process: .init(pid: 4121),
      loop: .init(id: 1, name: "main", thread: .init(tid: 4121, name: nil), mode: nil),
      phase: .init(name: .timer),
      time: .init(
        startUnix: .init(nanoseconds: seconds * 1_000_000_000), start: .init(nanoseconds: 5), end: nil,
        threshold: .milliseconds(250), duration: .milliseconds(1712)),
      cost: .init(window: .seconds(1), cpu: .seconds(1), runnable: .zero, offCPU: .zero),
      monitor: .init(version: "1"))
    let frames = [
      Report.Frame(symbol: "f()", isInApp: true), Report.Frame(symbol: "main", kind: .threadBase),
    ]
    report.samples = [
      .init(time: .zero, stack: report.stacks.index(ofStack: frames), weight: .milliseconds(1712), state: "R")
    ]
    report.computeFingerprint()
    report.fingerprint?.title = title
    return report
  }

  private func run(_ arguments: String...) throws -> MainspringProgram.Result {
    try MainspringProgram.run(["report"] + arguments)
  }

  @Test func `a folder is listed, the newest last, a line a stall`() throws {
    let folder = try Folder()
    try folder.write(
      Self.report(2, at: 90_000, title: "second"), to: "1970-01-02/19700102T010000.000Z-2.json.gz")
    try folder.write(Self.report(1, at: 7, title: "first"), to: "1970-01-01/19700101T000007.000Z-1.json.gz")
    // What is beside reports is nobody's mistake.
    try folder.write([0x0A], to: "1970-01-01/19700101T000007.000Z-1.txt")
    try folder.write([], to: ".x.running")
    #expect(
      try run(folder.path)
        == .init(
          code: 0,
          output: """
            WHEN (UTC)             LENGTH  KIND   STATE      CLASS  LOOP  TITLE
            1970-01-01T00:00:07Z  1712 ms  stall  recovered  busy   main  first
            1970-01-02T01:00:00Z  1712 ms  stall  recovered  busy   main  second

            """, error: ""))
  }

  @Test func `a stall that is over is listed once, in its last state`() throws {
    let folder = try Folder()
    try folder.write(Self.report(1, at: 7, title: "early", state: .ongoing), to: "1970-01-01/a.json")
    try folder.write(Self.report(1, at: 7, title: "late"), to: "1970-01-01/a.json.gz")
    let result = try run(folder.path)
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(result.output.contains("recovered  busy   main  late"))
  }

  @Test func `what is no report is told in one line each and left out`() throws {
    let folder = try Folder()
    let outside = try Folder()
    try outside.write(Self.report(9, at: 9, title: "outside"), to: "secret.json")
    try folder.write(Self.report(1, at: 7), to: "1970-01-01/good.json.gz")
    try folder.write(Array("{\"schema\": \"other/1\"}".utf8), to: "1970-01-01/bad.json")
    try folder.write([0x1F, 0x8B, 8, 0], to: "1970-01-01/cut.json.gz")
    try folder.write([], to: "notes.doc")
    try folder.write(Array("x".utf8), to: "a\u{1B}[2J\nb.json")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.path + "/1970-01-01/link.json", withDestinationPath: outside.path + "/secret.json")
    try files.createSymbolicLink(atPath: folder.path + "/1970-01-02", withDestinationPath: outside.path)
    try files.createDirectory(
      atPath: folder.path + "/1970-01-01/folder.json", withIntermediateDirectories: true)
    let result = try run(folder.path)
    #expect(result.code == 1)
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(!result.output.contains("outside"))
    let lines = result.error.split(separator: "\n")
    #expect(lines.count == 8)
    func says(_ words: String) -> Bool { lines.contains { $0.hasSuffix(words) } }
    #expect(says("bad.json: no report: schema: schema \"other/1\", but only stall-report/1 can be read"))
    #expect(says("cut.json.gz: the packed data ends too early"))
    #expect(says("notes.doc: its name is not that of a report"))
    #expect(
      says("a\u{FFFD}[2J\u{FFFD}b.json: no report: not JSON: a character that cannot stand here, at byte 0"))
    #expect(says("link.json: a symbolic link, which is not followed"))
    #expect(says("1970-01-02: no folder of its own"))
    #expect(says("folder.json: no file"))
    #expect(says("7 files were left out"))
  }

  @Test func `a pipe in the folder is not waited for`() throws {
    let folder = try Folder()
    try #require(unsafe mkfifo(folder.path + "/pipe.json", 0o600) == 0)
    let result = try run(folder.path)
    #expect(result.code == 1)
    #expect(result.error.contains("pipe.json: no file\n"))
  }

  @Test func `a file is shown in each view`() throws {
    let folder = try Folder()
    let report = Self.report(1, at: 7)
    try folder.write(report, to: "a.json.gz")
    let path = folder.path + "/a.json.gz"
    #expect(try run(path) == .init(code: 0, output: report.text(), error: ""))
    for view in Report.View.allCases {
      #expect(try run(path, "--view", view.rawValue).output == report.text(view: view))
    }
    #expect(
      try run("--view=summary", path).output == Report.summaryHeader + "\n" + report.summary + "\n")
    #expect(try run(path, "--json").output == report.json(layout: .pretty) + "\n")
    // The user's own link may lead anywhere.
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/l", withDestinationPath: path)
    #expect(try run(folder.path + "/l").output == report.text())
  }

  @Test func `the reports of a folder are as many lines of JSON, which are read as one file again`() throws {
    let folder = try Folder()
    let reports = [Self.report(1, at: 7), Self.report(2, at: 8)]
    try folder.write(reports[1], to: "1970-01-01/b.json.gz")
    try folder.write(reports[0], to: "1970-01-01/a.json.gz")
    let lines = try run(folder.path, "--json").output
    #expect(lines == reports.map { $0.json() + "\n" }.joined())
    // As batches are: members one behind the other.
    let batch = try reports.flatMap { try Gzip.compress(Array(($0.json() + "\n").utf8)) }
    try folder.write(batch, to: "batch.ndjson.gz")
    #expect(try run(folder.path + "/batch.ndjson.gz", "--json").output == lines)
    try folder.write(Array((lines + "{}\n").utf8), to: "broken.ndjson")
    let broken = try run(folder.path + "/broken.ndjson")
    #expect(broken.code == 1)
    #expect(broken.error.hasSuffix("broken.ndjson: line 3 is no report: schema: missing\n"))
  }

  @Test func `an empty folder is no mistake, and none is one`() throws {
    let folder = try Folder()
    #expect(
      try run(folder.path) == .init(code: 0, output: "", error: "mainspring: no reports in \(folder.path)\n"))
    let missing = folder.path + "/missing"
    #expect(
      try run(missing)
        == .init(code: 1, output: "", error: "mainspring: \(missing): No such file or directory (errno 2)\n"))
  }

  @Test func `frames without a name get those of debug files of the same build, wherever they lie`() throws {
    let seed = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fuzz/Corpus/elf/seed-small5").standardizedFileURL
    let debug = try Folder()
    try debug.write([UInt8](try Data(contentsOf: seed)), to: "some/where/program")
    try debug.write([1, 2, 3], to: "some/where/else")
    var report = Self.report(1, at: 7)
    report.stacks = .init()
    report.stacks.images = [
      .init(
        name: "/gone/program", buildID: "822a3e8ae1ed2009b8e48137cbb67774edd9769a", base: 0x10000,
        end: 0x12000,
        isInApp: true),
      .init(name: "/gone/other", buildID: "../../etc", base: 0x20000, end: 0x22000, isInApp: true),
    ]
    let frames = [
      Report.Frame(image: 0, offset: 0x190, symbol: nil, isInApp: true),
      Report.Frame(image: 1, offset: 0x190, symbol: nil, isInApp: true),
      Report.Frame(image: 0, offset: 0x1ab, symbol: "named already", isInApp: true),
    ]
    _ = report.stacks.index(ofStack: frames)
    report.computeFingerprint()
    let folder = try Folder()
    try folder.write(report, to: "a.json")
    let result = try run(folder.path + "/a.json", "--symbols", debug.path, "--json")
    let named = try Report(json: Array(result.output.utf8))
    #expect(
      named.stacks.stacks[0].map { named.stacks.frames[$0].symbol } == [
        "innermost", "middle", "outer", nil, "named already",
      ])
    #expect(named.stacks.frames[0].location?.description.hasPrefix("small.c:") == true)
    #expect(named.culprit.name == "innermost")
    #expect(named.fingerprint == .init(of: named))
    #expect(try run(folder.path + "/a.json", "--symbols", folder.path + "/none").code == 1)
  }

  @Test func `an export goes to standard output or into a file`() throws {
    let folder = try Folder()
    let report = Self.report(1, at: 7)
    try folder.write(report, to: "1970-01-01/a.json.gz")
    for format in ExportFormat.allCases {
      let expected = format.encode([report])
      let output = try MainspringProgram.runForBytes(["report", folder.path, "--export", format.rawValue])
      #expect(output.code == 0)
      #expect(
        try (format == .pprof ? Gzip.decompress(output.output, limit: 1 << 20) : output.output) == expected)
      let file = folder.path + "/out"
      #expect(
        try run(folder.path, "--export=\(format.rawValue)", "--output=\(file)")
          == .init(code: 0, output: "", error: ""))
      #expect(try [UInt8](Data(contentsOf: URL(filePath: file))) == output.output)
      try FileManager.default.removeItem(atPath: file)
    }
    #expect(try run(folder.path, "--export=otlp", "--output=\(folder.path)/no/such").code == 1)
  }
}
