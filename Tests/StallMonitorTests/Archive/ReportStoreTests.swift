import Foundation
import Gzip
import LinuxKernel
import StallReport
import Testing

@testable import StallMonitor

@Suite struct ReportStoreTests {
  private func store(_ folder: TemporaryFolder, writesText: Bool = true) throws -> ReportStore {
    ReportStore(folder: try ArchiveFolder(path: folder.path), writesText: writesText, writer: "d3b0c6a2")
  }

  private static let id = Report.Identifier(high: 0x0f6d_1c3e_9a5b_4e0c, low: 1)

  @Test func `a stall that goes on is one line of JSON, and one that is over the same in gzip`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    var report = Report.sample(id: Self.id, startUnix: .night(), item: "timer")
    let base = "2026-11-30/20261130T005320.000Z-0f6d1c3e-\(report.fingerprint!.level1)"
    let first = try store.put(report, isLast: false, over: nil)
    #expect(folder.files == [base + ".json", base + ".txt"])
    #expect(try folder.bytes(of: base + ".json") == Array((report.json() + "\n").utf8))
    report.state = .recovered
    let last = try store.put(report, isLast: true, over: first.name)
    #expect(folder.files == [base + ".json.gz", base + ".txt"])
    let bytes = try folder.bytes(of: base + ".json.gz")
    #expect(try Gzip.decompress(bytes, limit: 1 << 20) == Array((report.json() + "\n").utf8))
    #expect(last.byteCount == bytes.count + (try folder.bytes(of: base + ".txt").count))
  }

  @Test func `files and folders are private`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    let name = try store.put(.sample(), isLast: true, over: nil).name
    for file in [name.named(.closed), name.named(.text)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name.day)/\(file)")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name.day)")
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a later state that knows of another issue takes the place of the former`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, writesText: true)
    let first = try store.put(.sample(id: Self.id, startUnix: .night()), isLast: false, over: nil)
    let last = try store.put(
      .sample(id: Self.id, startUnix: .night(), item: "source"), isLast: true, over: first.name)
    #expect(first.name.issue != last.name.issue)
    #expect(
      folder.files == ["2026-11-30/\(last.name.named(.closed))", "2026-11-30/\(last.name.named(.text))"])
  }

  @Test func `a folder that is taken away is made again for the next report`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/deep/down"
    let store = ReportStore(folder: try ArchiveFolder(path: path), writesText: false, writer: "d3b0c6a2")
    _ = try store.put(.sample(), isLast: true, over: nil)
    try FileManager.default.removeItem(atPath: folder.path + "/deep")
    _ = try store.put(.sample(), isLast: true, over: nil)
    #expect(folder.files.count == 1)
  }

  @Test func `a relative path is one from where the monitor was started`() throws {
    let here = FileManager.default.currentDirectoryPath
    #expect(try ArchiveFolder(path: ".").path == here + "/.")
  }

  @Test func `a file, or a link, where a day should be is an error and stays as it is`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder)
    try folder.put("mine", as: "2026-11-30")
    #expect(throws: KernelError.self) { try store.put(.sample(startUnix: .night()), isLast: true, over: nil) }
    #expect(try folder.bytes(of: "2026-11-30") == Array("mine".utf8))
    try folder.put("", as: "elsewhere/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/2026-12-01", withDestinationPath: folder.path + "/elsewhere")
    #expect(throws: KernelError.self) {
      try store.put(.sample(startUnix: .night(86_400)), isLast: true, over: nil)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere") == ["x"])
  }

  @Test func `a link in the place of an unfinished file is not followed`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, writesText: false)
    let report = Report.sample(startUnix: .night())
    let name = ReportName(report, .closed)
    try folder.put("mine", as: "precious")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/2026-11-30", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/2026-11-30/\(PartName.of(name.named(.closed), writer: "d3b0c6a2"))",
      withDestinationPath: folder.path + "/precious")
    _ = try store.put(report, isLast: true, over: nil)
    #expect(folder.files == ["2026-11-30/\(name.named(.closed))", "precious"])
    #expect(try folder.bytes(of: "precious") == Array("mine".utf8))
  }
}
