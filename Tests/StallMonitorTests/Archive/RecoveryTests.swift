import Foundation
import Gzip
import LinuxKernel
import StallReport
import Testing

@testable import StallMonitor

@Suite struct RecoveryTests {
  private func store(_ folder: TemporaryFolder, writer: String = "00000001") throws -> ReportStore {
    ReportStore(folder: try ArchiveFolder(path: folder.path), writesText: true, writer: writer)
  }

  /// What a process left that is gone: a report that goes on, and its sidecar.
  private func leave(
    _ report: Report, in folder: TemporaryFolder, seen: UInt64 = 6_000_000_000, end: UInt64? = nil,
    hasEnded: Bool = false, token: String = "d3b0c6a2"
  ) throws -> ReportName {
    let name = try store(folder, writer: token).put(report, isLast: false, over: nil).name
    let record = SidecarRecords.Stall(stem: name.stem, id: report.id, seen: seen, end: end)
    let bytes = SidecarRecords.header(hasEnded: hasEnded) + SidecarRecords.body([record])
    try folder.put(String(decoding: bytes, as: UTF8.self), as: SidecarName.of(token))
    return name
  }

  private func report(_ name: ReportName, in folder: TemporaryFolder) throws -> Report {
    let bytes = try folder.bytes(of: "\(name.day)/\(name.named(.closed))")
    return try Report(json: Gzip.decompress(bytes, limit: 1 << 20))
  }

  @Test func `a stall whose process was killed is told as that, with the rest as it was`() throws {
    let folder = try TemporaryFolder()
    let left = Report.sample(startUnix: .night())
    let name = try leave(left, in: folder)
    try Recovery(store: store(folder)).run()
    var expected = left
    expected.state = .unrecovered
    expected.time.duration = .seconds(5)
    #expect(try report(name, in: folder) == expected)
    #expect(folder.files == ["\(name.day)/\(name.named(.closed))", "\(name.day)/\(name.named(.text))"])
    let text = String(decoding: try folder.bytes(of: "\(name.day)/\(name.named(.text))"), as: UTF8.self)
    #expect(text == expected.text(style: .plain))
  }

  @Test func `what did not count of the length before does not count in the end either`() throws {
    let folder = try TemporaryFolder()
    var left = Report.sample()
    left.time.excluded = .seconds(2)
    let name = try leave(left, in: folder)
    try Recovery(store: store(folder)).run()
    #expect(try report(name, in: folder).time.duration == .seconds(3))
  }

  @Test func `a stall that was over before is told as that`() throws {
    let folder = try TemporaryFolder()
    let name = try leave(.sample(startUnix: .night()), in: folder, end: 3_500_000_000)
    try Recovery(store: store(folder)).run()
    let told = try report(name, in: folder)
    #expect(told.state == .recovered)
    #expect(told.time.duration == .milliseconds(2500))
    #expect(told.time.end == Report.MonotonicTime(nanoseconds: 3_500_000_000))
    #expect(told.time.endUnix == Report.UnixTime.night().advanced(by: 2_500_000_000))
  }

  @Test func `a stall in which the process ended by itself is not told as one that it was killed in`() throws
  {
    let folder = try TemporaryFolder()
    let name = try leave(.sample(), in: folder, hasEnded: true)
    try Recovery(store: store(folder)).run()
    let told = try report(name, in: folder)
    #expect(told.state == .ongoing)
    #expect(told.annotations["ended"] == "the program ended by itself while the stall went on")
    #expect(told.annotations["tenant"] == "blue")
  }

  @Test func `a stall of a process that lives is left alone`() throws {
    let folder = try TemporaryFolder()
    let root = try OpenFolder(path: folder.path)
    let sidecar = try Sidecar.make(in: root)
    let report = Report.sample()
    let name = try store(folder, writer: sidecar.token).put(report, isLast: false, over: nil).name
    try sidecar.write([SidecarRecords.Stall(stem: name.stem, id: report.id, seen: 0)])
    try folder.put("{", as: "\(name.day)/\(PartName.of(name.named(.closed), writer: sidecar.token))")
    let before = folder.files
    try Recovery(store: store(folder)).run()
    #expect(folder.files == before)
    sidecar.remove(from: root)
  }

  @Test
  func `a stall of nobody is told as unrecovered, but not while there is somebody who is not understood`()
    throws
  {
    let folder = try TemporaryFolder()
    let name = try store(folder).put(.sample(), isLast: false, over: nil).name
    let root = try OpenFolder(path: folder.path)
    let sidecar = try Sidecar.make(in: root)
    let file = try root.file(named: SidecarName.of(sidecar.token), writable: true)
    try file.write(Array("no sense".utf8), at: SidecarRecords.headerCount)
    try Recovery(store: store(folder)).run()
    #expect(folder.files.contains("\(name.day)/\(name.named(.ongoing))"))
    try sidecar.write([])
    try Recovery(store: store(folder)).run()
    #expect(try report(name, in: folder).state == .unrecovered)
    sidecar.remove(from: root)
  }

  @Test func `twice is the same as once`() throws {
    let folder = try TemporaryFolder()
    _ = try leave(.sample(), in: folder)
    try Recovery(store: store(folder)).run()
    let once = folder.files
    let bytes = try once.map { try folder.bytes(of: $0) }
    try Recovery(store: store(folder)).run()
    #expect(folder.files == once)
    #expect(try once.map { try folder.bytes(of: $0) } == bytes)
  }

  @Test func `one that was cut short after the last state was written ends the same way`() throws {
    let folder = try TemporaryFolder()
    let left = Report.sample()
    let name = try leave(left, in: folder)
    try Recovery(store: store(folder)).run()
    let (once, closed) = (folder.files, try folder.bytes(of: "\(name.day)/\(name.named(.closed))"))
    // The former state and the sidecar are there still, and a server has the report.
    _ = try leave(left, in: folder, seen: 99_000_000_000)
    try FileManager.default.moveItem(
      atPath: "\(folder.path)/\(name.day)/\(name.named(.closed))",
      toPath: "\(folder.path)/\(name.day)/\(name.named(.sent))")
    try Recovery(store: store(folder)).run()
    #expect(folder.files.count == once.count)
    #expect(try folder.bytes(of: "\(name.day)/\(name.named(.sent))") == closed)
  }

  @Test func `what a killed process left half written is taken away, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let base = "2026-11-30/.20261130T014442.123Z-0f6d1c3e-5b0a7c11.json.gz"
    try folder.put("{", as: base + ".d3b0c6a2.part")
    let kept = [
      "2026-11-30/20261130T014442.123Z-0f6d1c3f-5b0a7c11.json", "2026-11-30/notes.part", "2026-11-30/.part",
      "2026-11-30/.x.00000000.part", base + ".nobody.part", "notes", "elsewhere/.x.00000000.part",
      ".running", ".x.running",
    ].sorted()
    for name in kept { try folder.put("mine", as: name) }
    try Recovery(store: store(folder)).run()
    #expect(folder.files == kept)
  }

  @Test func `a disk that is full costs nothing that was there`() throws {
    let folder = try TemporaryFolder()
    let left = Report.sample()
    let name = try leave(left, in: folder)
    // Nothing can be put where a folder has that name.
    let place = "\(folder.path)/\(name.day)/\(name.named(.closed))"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try folder.put("", as: "\(name.day)/\(name.named(.closed))/x")
    let before = folder.files
    #expect(throws: KernelError.self) { try Recovery(store: store(folder)).run() }
    #expect(folder.files == before)
    try FileManager.default.removeItem(atPath: place)
    try Recovery(store: store(folder)).run()
    #expect(try report(name, in: folder).time.duration == .seconds(5))
  }
}
