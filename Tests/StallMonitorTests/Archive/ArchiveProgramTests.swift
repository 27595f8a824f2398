import Foundation
import Gzip
import MainspringTesting
import StallReport
import Testing

@testable import StallMonitor

/// What a program leaves in the archive, however it ends.
@Suite(.serialized) struct ArchiveProgramTests {
  /// A run of the program that is built beside the tests.
  private final class Run {
    private let process = Process()
    private let output = Pipe()

    init(in folder: String, doing what: String) throws {
      let build = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      process.executableURL = build.appendingPathComponent("ArchiveProgram")
      process.arguments = [folder, what]
      process.standardOutput = output
      // What crashes on purpose is not to be explained at length.
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
        $1
      }
      try process.run()
    }

    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Waits until it has told so many lines; they are told again by `finish`.
    func awaitLines(_ count: Int) -> [String] {
      while lines.count < count {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        told += String(decoding: more, as: UTF8.self)
      }
      return lines
    }

    /// Waits for its end; gives all that it has told.
    func finish() -> [String] {
      told += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return lines
    }

    var wasEndedBySignal: Int32? {
      process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
    }

    private var told = ""
    /// The whole ones.
    private var lines: [String] {
      told.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// Which reports are in a folder, and how far; every file is checked.
  private func states(in folder: TemporaryFolder) throws -> [String: Report.State] {
    var states: [String: Report.State] = [:]
    for path in folder.files {
      let name = String(path.split(separator: "/").last!)
      guard let parsed = ReportName(name) else {
        #expect(PartName.parse(name) != nil || SidecarName.token(in: name) != nil, "\(path)")
        continue
      }
      let bytes = try folder.bytes(of: path)
      #expect(!bytes.isEmpty, "\(path)")
      guard parsed.form != .text else { continue }
      let line = parsed.form == .ongoing ? bytes : try Gzip.decompress(bytes, limit: 1 << 24)
      #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1 && line.last == UInt8(ascii: "\n"))
      let report = try Report(json: line)
      #expect("\(report.id)".hasPrefix(parsed.idPrefix))
      #expect(report.state == .ongoing || parsed.form.isClosed)
      // The state before may still be there; the last one counts.
      if parsed.form.isClosed || states["\(report.id)"] == nil { states["\(report.id)"] = report.state }
    }
    return states
  }

  private func tidy(_ folder: TemporaryFolder) throws {
    var configuration = StallMonitor.Configuration()
    configuration.retention.reportCountMax = .max
    let archivist = Archivist(configuration, at: try ArchivePlace(path: folder.path))
    archivist.tidy(at: 1)
    archivist.finish()
  }

  private func note(_ lines: [String], in acknowledged: inout [String: String]) {
    for words in lines.map({ $0.split(separator: " ").map(String.init) }) {
      #expect(words.count == 3 && words[0] != "failure", "\(words)")
      acknowledged[words[0]] = words[1]
    }
  }

  private static let isLong = ProcessInfo.processInfo.environment["MAINSPRING_LONG"] != nil

  @Test func `killed at whatever moment, each file is whole, and no report is lost that was kept`() throws {
    try killAtRandom(doing: "keep", lines: 20, kills: Self.isLong ? 200 : 20)
  }

  /// The same with real stalls: slow where functions' names are.
  @Test(.enabled(if: isLong))
  func `killed at whatever moment while it stalls, no report is lost that was kept`() throws {
    try killAtRandom(doing: "stall", lines: 20, kills: 20)
  }

  /// Two programs at a time, each of which finds what others left, and is killed.
  private func killAtRandom(doing what: String, lines: Int, kills: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom()
    var acknowledged: [String: String] = [:]
    // How long it takes to tell some.
    let began = ContinuousClock.now
    let first = try Run(in: folder.path, doing: what)
    _ = first.awaitLines(lines)
    first.kill()
    note(first.finish(), in: &acknowledged)
    let horizon = UInt32((ContinuousClock.now - began) / .microseconds(1))
    for _ in 0..<kills / 2 {
      let runs = try (0..<2).map { _ in try Run(in: folder.path, doing: what) }
      for run in runs {
        // A moment at random, which no event is.
        usleep(.random(in: 0...horizon, using: &random))
        run.kill()
      }
      for run in runs { note(run.finish(), in: &acknowledged) }
      let states = try states(in: folder)
      for id in acknowledged.keys { #expect(states[id] != nil, "\(id) is lost, seed \(random.seed)") }
    }
    try tidy(folder)
    let last = try states(in: folder)
    for (id, told) in acknowledged {
      let state = last[id]
      #expect(state == .recovered || told == "ongoing" && state == .unrecovered, "\(id), seed \(random.seed)")
    }
    #expect(last.values.contains(.recovered))
    #expect(last.values.contains(.unrecovered))
    // Each has its two files, and nothing else is left.
    #expect(folder.files.count == 2 * last.count)
  }

  @Test(arguments: ["exit", "stop"])
  func `a stall in which the program ends by itself is not told as one that it was killed in`(
    ending: String
  ) throws {
    let folder = try TemporaryFolder()
    let told = try Run(in: folder.path, doing: ending).finish()
    #expect(told.contains { $0.contains("ongoing kept") }, "\(told)")
    try tidy(folder)
    let states = try states(in: folder)
    #expect(states.values.allSatisfy { $0 == .ongoing || $0 == .recovered })
    #expect(states.values.contains(.ongoing))
    #expect(folder.files.count == 2 * states.count)
  }

  @Test func `a program whose files may not grow goes on, and says so once`() throws {
    let folder = try TemporaryFolder()
    let lines = try Run(in: folder.path, doing: "full").finish()
    let failures = lines.filter { $0.hasPrefix("failure") }
    #expect(failures.count == 2, "\(lines)")
    #expect(failures.first?.contains("reports cannot be written") ?? false)
    #expect(failures.last?.contains("again") ?? false)
    #expect(lines.last == "went on")
    #expect(try states(in: folder).values.contains(.recovered))
    #expect(folder.files.allSatisfy { !$0.contains(".part") })
  }

  // MARK: crashes

  /// The only report that a crash left.
  private func crash(_ way: String) throws -> Report {
    let folder = try TemporaryFolder()
    let run = try Run(in: folder.path, doing: way)
    #expect(run.finish() == ["saved"])
    #expect(run.wasEndedBySignal == SIGSEGV)
    #expect(try states(in: folder).values.map(\.self) == [.unrecovered], "\(folder.files)")
    let path = try #require(folder.files.first { $0.hasSuffix(".json.gz") })
    return try Report(json: Gzip.decompress(folder.bytes(of: path), limit: 1 << 24))
  }

  @Test
  func `M57: a crash on the loop's thread is reported with the callout and the function that it was in`()
    throws
  {
    let report = try crash("crash")
    #expect(report.kind == .crash)
    #expect(report.annotations["crash_signal"] == "SIGSEGV")
    #expect(report.annotations["crash_address"] == "0x40")
    #expect(report.loop.name == "crashing")
    #expect(report.phase.name == .timer)
    #expect(report.phase.item?.madeAt?.file.hasSuffix("Crashing.swift") == true)
    #expect(report.fingerprint?.title == "SIGSEGV in static Crashing.writeNowhere(_:)")
    #expect(report.headline.hasPrefix("Crash by SIGSEGV at 0x40 of thread "))
    #expect(report.threads.count > 1)
    #expect(report.threads.first?.registers?["rip"] != nil)
  }

  @Test func `M57: a call of what is no function is reported where it was called`() throws {
    let report = try crash("crash-null-call")
    #expect(report.annotations["crash_address"] == "0x10")
    #expect(report.fingerprint?.title == "SIGSEGV in static Crashing.callNothing()")
  }

  @Test func `M57: a crash beside the loop is reported with the stack of the thread that crashed`() throws {
    let report = try crash("crash-elsewhere")
    #expect(report.annotations["crash_address"] == "0x48")
    #expect(report.fingerprint?.title == "SIGSEGV in static Crashing.writeNowhere(_:)")
    #expect(report.loop.thread.name == "crasher")
  }
}
