import Foundation
import Gzip
import LinuxKernel
import Mainspring
import StallReport
import Testing

@testable import StallMonitor
@testable import StallUpload

/// Against a real server, and against what is none.
@Suite struct UploadTests {
  /// An archive with reports whose stalls are over, in a folder that goes with it.
  private final class Filled {
    let path: String
    let identifiers: [String]
    let archive: ReportArchive

    init(_ count: Int) throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())").path
      let folder = try ArchiveFolder(path: path)
      let store = ReportStore(folder: folder, writesText: false, writer: "00000001")
      identifiers = try (0..<count).map { number in
        let report = Self.report(number)
        _ = try store.put(report, isLast: true, over: nil)
        return "\(report.id)"
      }
      archive = ReportArchive(folder, urgent: UrgentReports())
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Each a second after the one before.
    private static func report(_ number: Int) -> Report {
      var report = Report(
        id: .random(), kind: .stall, state: .recovered, app: Report.Application(name: "tested"),
        process: Report.Process(pid: 1),
        loop: Report.Loop(id: 1, name: "main", thread: Report.ThreadName(tid: 1, name: nil), mode: nil),
        phase: Report.Phase(name: .timer),
        time: Report.Time(
          startUnix: Report.UnixTime(nanoseconds: (1_796_000_000 + Int64(number)) * 1_000_000_000),
          start: Report.MonotonicTime(nanoseconds: 1), end: Report.MonotonicTime(nanoseconds: 2),
          threshold: .milliseconds(250), duration: .seconds(1)),
        cost: Report.Cost(), monitor: Report.Monitor(version: "0"))
      report.annotations["filling"] = String(repeating: "\(report.id) ", count: 20)
      report.computeFingerprint()
      return report
    }

    func names(ending: String) -> [String] {
      (FileManager.default.subpaths(atPath: path) ?? []).filter { $0.hasSuffix(ending) }.sorted()
    }
  }

  /// What the upload said, one line after the other, for who waits for one.
  private final class Lines: Sendable {
    private let state = Locked<[String]>([])
    private let count = FutexWord(0)

    func append(_ line: String) {
      state.withLock { $0.append(line) }
      _ = count.exchange(UInt32(state.withLock { $0.count }))
      count.wake(all: true)
    }

    var all: [String] { state.withLock { $0 } }

    /// Waits for so many lines, but not for ever.
    func wait(for number: Int) -> [String] {
      let deadline = RunLoop.Instant.now.advanced(by: .seconds(60)).nanoseconds
      while true {
        let seen = count.load()
        if seen >= UInt32(number) || count.wait(while: seen, until: deadline) == .timedOut { return all }
      }
    }
  }

  private func upload(
    to address: String, _ lines: Lines, _ change: (inout StallUpload.Configuration) -> Void = { _ in }
  ) throws -> StallUpload {
    var configuration = StallUpload.Configuration(address: address, token: "secret")
    configuration.onChange = { lines.append($0) }
    change(&configuration)
    return try StallUpload(configuration)
  }

  /// The identifiers in the bodies, in order.
  private func identifiers(in bodies: [[UInt8]]) throws -> [[String]] {
    try bodies.map { body in
      let text = String(decoding: try Gzip.decompress(body, limit: 1 << 24), as: UTF8.self)
      return try text.split(separator: "\n").map { "\(try Report(json: Array($0.utf8)).id)" }
    }
  }

  @Test func `what was left is sent in batches, oldest first, each line a report, and is marked`() throws {
    let server = try WebServer()
    let filled = try Filled(7)
    let lines = Lines()
    let upload = try upload(to: server.address("/ok"), lines) { $0.batchCountMax = 3 }
    upload.start(filled.archive)
    #expect(upload.finish(within: .seconds(60)))
    let sent = try identifiers(in: server.bodies())
    #expect(sent.map(\.count) == [3, 3, 1])
    #expect(sent.flatMap { $0 } == filled.identifiers)
    #expect(filled.names(ending: ".sent.json.gz").count == 7)
    #expect(try filled.archive.pending().isEmpty)
    #expect(lines.all.isEmpty)
    #expect(try server.log() == Array(repeating: "204 /ok application/x-ndjson gzip Bearer secret", count: 3))
  }

  @Test func `an upload that begins again sends nothing twice`() throws {
    let server = try WebServer()
    let filled = try Filled(3)
    for _ in 0..<3 {
      let upload = try upload(to: server.address("/ok"), Lines())
      upload.start(filled.archive)
      #expect(upload.finish(within: .seconds(60)))
    }
    #expect(try identifiers(in: server.bodies()) == [filled.identifiers])
  }

  @Test func `a server that is down is asked again, and gets everything when it is up`() throws {
    let server = try WebServer()
    let filled = try Filled(2)
    let lines = Lines()
    try server.setDown(true)
    let upload = try upload(to: server.address("/switched"), lines)
    upload.start(filled.archive)
    #expect(lines.wait(for: 1).first?.hasSuffix("for now, and are kept: status 503") == true)
    try server.setDown(false)
    #expect(lines.wait(for: 2).dropFirst() == ["reports are uploaded again"])
    #expect(upload.finish(within: .seconds(60)))
    #expect(try identifiers(in: server.bodies()) == [filled.identifiers])
  }

  @Test(arguments: [
    ("/429", "status 429"), ("/503", "status 503"), ("/401", "status 401: the token is missing or wrong"),
    ("/moved", "status 307: the address has moved"),

    ("/nowhere", "status 404: nothing takes reports at this address"),
  ])
  func `whatever the server has against it, the reports are kept and one line says why`(
    path: String, reason: String
  ) throws {
    let server = try WebServer()
    let filled = try Filled(2)
    let lines = Lines()
    let address = server.address(path)
    let upload = try upload(to: address, lines)
    upload.start(filled.archive)
    #expect(
      lines.wait(for: 1) == ["reports cannot be uploaded to \(address) for now, and are kept: \(reason)"])
    // It rests: the end of the program does not wait for that.
    #expect(!upload.finish(within: .seconds(60)))
    #expect(try filled.archive.pending().count == 2)
    #expect(try server.bodies().allSatisfy { _ in path == "/nowhere" })
  }

  @Test func `where nothing listens, the reports are kept`() throws {
    let filled = try Filled(1)
    let lines = Lines()
    let port = try Listener().port
    let upload = try upload(to: "http://127.0.0.1:\(port)/", lines)
    upload.start(filled.archive)
    #expect(lines.wait(for: 1).first?.contains("and are kept: ") == true)
    #expect(!upload.finish(within: .seconds(60)))
    #expect(try filled.archive.pending().count == 1)
  }

  @Test func `a server that takes the connection and says nothing is given up after the time-out`() throws {
    let silent = try Listener()
    let filled = try Filled(1)
    let lines = Lines()
    let upload = try upload(to: "http://127.0.0.1:\(silent.port)/", lines) { $0.timeout = .milliseconds(50) }
    upload.start(filled.archive)
    #expect(lines.wait(for: 1).first?.hasSuffix("Timeout was reached") == true)
    #expect(!upload.finish(within: .seconds(60)))
    #expect(try filled.archive.pending().count == 1)
  }

  @Test
  func `a server whose answer has no end is given up after the time-out, and is not listened to greedily`()
    throws
  {
    let endless = try EndlessServer()
    let filled = try Filled(1)
    let lines = Lines()
    let address = "http://127.0.0.1:\(endless.port)/"
    let upload = try upload(to: address, lines) { $0.timeout = .milliseconds(500) }
    upload.start(filled.archive)
    #expect(lines.wait(for: 1).first?.hasSuffix("Timeout was reached") == true)
    #expect(!upload.finish(within: .seconds(60)))
    #expect(try filled.archive.pending().count == 1)
    // What was read, and what the kernel kept ready for it.
    #expect(endless.finish() < 16 << 20)
  }

  @Test func `the end of the program does not wait for a silent server longer than it may`() throws {
    let silent = try Listener()
    let filled = try Filled(1)
    let upload = try upload(to: "http://127.0.0.1:\(silent.port)/", Lines())
    upload.start(filled.archive)
    #expect(!upload.finish(within: .milliseconds(50)))
    #expect(try filled.archive.pending().count == 1)
  }

  @Test func `a batch that is too large is made smaller until it goes`() throws {
    let server = try WebServer()
    let filled = try Filled(12)
    let upload = try upload(to: server.address("/small"), Lines())
    upload.start(filled.archive)
    #expect(upload.finish(within: .seconds(60)))
    let sent = try identifiers(in: server.bodies())
    #expect(sent.flatMap { $0 } == filled.identifiers)
    #expect(sent.count > 1)
  }

  @Test func `one report that the server will not have is put aside and told, the others go`() throws {
    let server = try WebServer()
    let filled = try Filled(3)
    let lines = Lines()
    let upload = try upload(to: server.address("/tiny"), lines)
    upload.start(filled.archive)
    #expect(upload.finish(within: .seconds(60)))
    #expect(filled.names(ending: ".refused.json.gz").count == 3)
    #expect(lines.all.count == 3)
    #expect(lines.all.allSatisfy { $0.hasPrefix("the server will not have the report ") })
    #expect(try filled.archive.pending().isEmpty)
  }

  @Test func `a report that was sent and cannot be marked is not sent again and again`() throws {
    let server = try WebServer()
    let filled = try Filled(2)
    let lines = Lines()
    // Nothing can be renamed over a folder.
    for file in filled.names(ending: ".json.gz") {
      let name = file.replacing(".json.gz", with: ".sent.json.gz")
      try FileManager.default.createDirectory(
        atPath: "\(filled.path)/\(name)", withIntermediateDirectories: false)
    }
    let upload = try upload(to: server.address("/ok"), lines)
    upload.start(filled.archive)
    #expect(lines.wait(for: 1).first?.hasPrefix("reports were sent but cannot be marked") == true)
    #expect(upload.finish(within: .seconds(60)))
    #expect(lines.all.count == 1)
    #expect(try identifiers(in: server.bodies()) == [filled.identifiers])
    #expect(try filled.archive.pending().count == 2)
  }

  @Test func `a report that cannot be read is told, and the others go`() throws {
    let server = try WebServer()
    let filled = try Filled(3)
    let name = try #require(filled.names(ending: ".json.gz").dropFirst().first)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(filled.path)/\(name)"))
    // More than any report has, and nothing of it on the disk.
    try file.truncate(atOffset: 32 << 20)
    let lines = Lines()
    let upload = try upload(to: server.address("/ok"), lines) { $0.batchBytesMax = 64 << 20 }
    upload.start(filled.archive)
    #expect(upload.finish(within: .seconds(60)))
    #expect(try identifiers(in: server.bodies()) == [[filled.identifiers[0], filled.identifiers[2]]])
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains(" cannot be read, and is not sent: ") == true)
  }

  @Test func `one process at a time sends from a folder`() throws {
    let server = try WebServer()
    let filled = try Filled(2)
    let lock = try #require(try UploadLock(of: filled.archive))
    let upload = try upload(to: server.address("/ok"), Lines())
    upload.start(filled.archive)
    #expect(!upload.finish(within: .milliseconds(100)))
    #expect(try server.bodies().isEmpty)
    withExtendedLifetime(lock) {}
  }
}
