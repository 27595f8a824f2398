import Foundation
import Gzip
import LinuxKernel
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

@Suite struct ArchivistTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    var count: Int { all.withLock(\.count) }
  }

  private func archivist(
    in folder: TemporaryFolder, _ lines: Lines = Lines(),
    configure: (inout StallMonitor.Configuration) -> Void = { _ in }
  ) throws -> Archivist {
    var configuration = StallMonitor.Configuration()
    configuration.onFailure = { line in lines.all.withLock { $0.append(line) } }
    configure(&configuration)
    return Archivist(configuration, at: try ArchivePlace(path: folder.path))
  }

  @Test func `a stall that goes on is in the sidecar until its end is written`() throws {
    let folder = try TemporaryFolder()
    let archivist = try archivist(in: folder)
    let sidecar = SidecarName.of(archivist.instance)
    var report = Report.sample()
    #expect(archivist.keep(report, isLast: false, isUrgent: false))
    archivist.noteSeen(at: 5_000_000_000, now: 10_000_000_000)
    var records = SidecarRecords(try folder.bytes(of: sidecar))
    #expect(records.stalls.map(\.id) == [report.id])
    #expect(records.stalls.map(\.seen) == [5_000_000_000])
    archivist.noteEnds([(report.id, 6_000_000_000)])
    // What is over is not seen any more.
    archivist.noteSeen(at: 9_000_000_000, now: 20_000_000_000)
    records = SidecarRecords(try folder.bytes(of: sidecar))
    #expect(records.stalls.map(\.end) == [6_000_000_000])
    #expect(records.stalls.map(\.seen) == [5_000_000_000])
    report.state = .recovered
    #expect(archivist.keep(report, isLast: true, isUrgent: false))
    #expect(SidecarRecords(try folder.bytes(of: sidecar)).stalls.isEmpty)
    archivist.finish()
    #expect(folder.files.count == 2)
  }

  @Test func `how often a stall is noted follows its length`() throws {
    let folder = try TemporaryFolder()
    let archivist = try archivist(in: folder)
    archivist.tidy(at: 1)
    archivist.keep(.sample(start: 0, duration: .zero), isLast: false, isUrgent: false)
    for (now, next) in [(0, 50), (1000, 1050), (3200, 3300), (64_000, 65_000)] as [(UInt64, UInt64)] {
      archivist.noteSeen(at: now * 1_000_000, now: now * 1_000_000)
      #expect(archivist.nextDue == next * 1_000_000)
    }
    archivist.finish()
  }

  @Test func `a folder that cannot be written to is told once, and once that it can be again`() throws {
    let folder = try TemporaryFolder()
    let lines = Lines()
    let archivist = try archivist(in: folder, lines)
    try folder.put("mine", as: "2026-11-30")
    for _ in 0..<5 {
      #expect(!archivist.keep(.sample(startUnix: .night()), isLast: true, isUrgent: false))
    }
    #expect(lines.count == 1)
    try FileManager.default.removeItem(atPath: folder.path + "/2026-11-30")
    for _ in 0..<5 { #expect(archivist.keep(.sample(startUnix: .night()), isLast: true, isUrgent: false)) }
    let all = lines.all.withLock { $0 }
    #expect(all.count == 2)
    #expect(all.first?.contains(folder.path) ?? false)
    #expect(all.last?.contains("again; 5") ?? false)
    archivist.finish()
  }

  @Test func `an end that could not be written is not told as a kill later`() throws {
    let folder = try TemporaryFolder()
    let archivist = try archivist(in: folder)
    let report = Report.sample(startUnix: .night())
    archivist.keep(report, isLast: false, isUrgent: false)
    archivist.noteEnds([(report.id, 4_000_000_000)])
    let place = "\(folder.path)/2026-11-30/\(ReportName(report, .closed).named(.closed))"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    #expect(!archivist.keep(report, isLast: true, isUrgent: false))
    let records = SidecarRecords(try folder.bytes(of: SidecarName.of(archivist.instance)))
    #expect(records.stalls.map(\.end) == [4_000_000_000])
    archivist.finish()
  }

  @Test func `a sidecar that was taken away is made again`() throws {
    let folder = try TemporaryFolder()
    let archivist = try archivist(in: folder)
    let report = Report.sample()
    archivist.keep(report, isLast: false, isUrgent: false)
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(SidecarName.of(archivist.instance))")
    archivist.keep(report, isLast: false, isUrgent: false)
    let records = SidecarRecords(try folder.bytes(of: SidecarName.of(archivist.instance)))
    #expect(records.stalls.map(\.id) == [report.id])
    archivist.finish()
  }

  @Test func `a report too many takes the oldest with it`() throws {
    let folder = try TemporaryFolder()
    let archivist = try archivist(in: folder) {
      $0.retention.reportCountMax = 3
      $0.writesText = false
    }
    archivist.tidy(at: 1)
    let now = Report.UnixTime.now
    for second in 0..<6 {
      archivist.keep(
        .sample(startUnix: now.advanced(by: Int64(second - 10) * 1_000_000_000)), isLast: true,
        isUrgent: false)
    }
    archivist.finish()
    #expect(folder.files.count == 3)
    #expect(
      folder.files.allSatisfy {
        $0 > "\(ReportName(.sample(startUnix: now.advanced(by: -7_500_000_000)), .closed).day)/"
      })
  }

  @Test func `what is not ours stays, in whatever number`() throws {
    let folder = try TemporaryFolder()
    let others = [
      "2020-01-01/notes", "2020-01-01/20200101T000000.000Z-0f6d1c3e.json", "2020-13-41/x", "20200101/x",
      "2020-01-02/20200101T000000.000Z-0f6d1c3e-5b0a7c11.json.gz", "a\u{1b}[2J\n.json",
    ]
    for name in others { try folder.put("mine", as: name) }
    try folder.put("ours", as: "2020-01-01/20200101T000000.000Z-0f6d1c3e-5b0a7c11.json.gz")
    try folder.put("ours", as: "2020-01-03/20200103T000000.000Z-0f6d1c3e-5b0a7c11.json.gz")
    let directory = folder.path + "/2020-01-01/20200101T000000.000Z-0f6d1c3f-5b0a7c11.json.gz"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for number in 0..<2000 { try folder.put("", as: "2020-01-01/other-\(number)") }
    let archivist = try archivist(in: folder)
    archivist.tidy(at: 1)
    archivist.finish()
    #expect(folder.files.count == others.count + 2000)
    #expect(others.allSatisfy(folder.files.contains))
    #expect(folder.isFolder("2020-01-01"))
    #expect(!folder.isFolder("2020-01-03"))
  }
}

@Suite struct ReportArchiveTests {
  private func kept(in folder: TemporaryFolder) throws -> (
    archivist: Archivist, archive: ReportArchive
  ) {
    let archivist = Archivist(StallMonitor.Configuration(), at: try ArchivePlace(path: folder.path))
    return (archivist, archivist.archive)
  }

  @Test func `what is over and what is urgent can be sent, oldest first, once`() throws {
    let folder = try TemporaryFolder()
    let (archivist, archive) = try kept(in: folder)
    let reports = (0..<4).map { Report.sample(startUnix: .night(Int64($0) * 86_400)) }
    archivist.keep(reports[3], isLast: true, isUrgent: false)
    archivist.keep(reports[2], isLast: false, isUrgent: true)
    archivist.keep(reports[1], isLast: false, isUrgent: false)
    archivist.keep(reports[0], isLast: true, isUrgent: false)
    let pending = try archive.pending()
    #expect(pending.map(\.idPrefix) == [0, 2, 3].map { "\(reports[$0].id)".prefix(8) }.map(String.init))
    #expect(pending.map(\.isOngoing) == [false, true, false])
    for (report, index) in zip(pending, [0, 2, 3]) {
      let line = try Gzip.decompress(archive.read(report, limit: 1 << 20), limit: 1 << 20)
      #expect(line == Array((reports[index].json() + "\n").utf8))
    }
    try archive.markSent(pending[0])
    try archive.markRefused(pending[2])
    try archive.markSent(pending[1])
    #expect(try archive.pending().isEmpty)
    // Marked again, by another process.
    try archive.markSent(pending[0])
    #expect(folder.files.count { $0.hasSuffix(".sent.json.gz") } == 1)
    #expect(folder.files.count { $0.hasSuffix(".refused.json.gz") } == 1)
    archivist.keep(reports[2], isLast: true, isUrgent: false)
    #expect(try archive.pending().map(\.idPrefix) == [pending[1].idPrefix])
    archivist.finish()
  }

  @Test func `a report that is larger than is wanted is refused, and one that is gone is not there`() throws {
    let folder = try TemporaryFolder()
    let (archivist, archive) = try kept(in: folder)
    archivist.keep(.sample(), isLast: true, isUrgent: false)
    let report = try #require(archive.pending().first)
    #expect(throws: KernelError.tooLarge) { try archive.read(report, limit: report.byteCount - 1) }
    #expect(try archive.read(report, limit: report.byteCount).count == report.byteCount)
    try archive.markSent(report)
    #expect(throws: KernelError.notThere) { try archive.read(report, limit: 1 << 20) }
    archivist.finish()
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(try archive.pending().isEmpty)
  }
}
