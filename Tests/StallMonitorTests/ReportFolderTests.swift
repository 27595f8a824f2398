import Foundation
import StallReport
import Testing

@testable import StallMonitor

@Suite struct ReportFolderTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  /// A number that no process has: the kernel's largest is 2²².
  private let nobody = 4_194_305

  private func put(_ name: String, in folder: String, age: TimeInterval) throws {
    let path = "\(folder)/\(name)"
    #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
  }

  @Test func `what a killed process left half written is taken away, and nothing else`() throws {
    try inFolder { folder in
      try put(".20261130T014442.123Z-0f6d1c3e.json.\(nobody).part", in: folder, age: 3600)
      let kept = [
        // Perhaps still written to, by whom we cannot see.
        ".20261130T014442.123Z-0f6d1c3f.json.\(nobody).part": 1.0,
        // Its writer lives.
        ".20261130T014442.123Z-0f6d1c40.json.\(ProcessInfo.processInfo.processIdentifier).part": 3600,
        "20261130T014442.123Z-0f6d1c3e.txt": 3600, "notes.part": 3600, ".part": 3600, ".x.0.part": 3600,
        ".x.-1.part": 3600, ".x.99999999999999.part": 3600,
      ]
      for (name, age) in kept { try put(name, in: folder, age: age) }
      _ = try ReportFolder(path: folder)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(left) == Set(kept.keys))
    }
  }

  @Test func `a folder that is taken away is made again for the next report`() throws {
    try inFolder { folder in
      let reports = try ReportFolder(path: folder + "/deep/down")
      let report = Report(
        id: .random(), kind: .stall, state: .ongoing, app: Report.Application(name: "tested"),
        process: Report.Process(pid: 1),
        loop: Report.Loop(id: 1, name: "tested", thread: Report.ThreadName(tid: 1, name: nil), mode: nil),
        phase: Report.Phase(name: .timer),
        time: Report.Time(
          startUnix: .now, start: Report.MonotonicTime(nanoseconds: 0), end: nil, threshold: .seconds(1),
          duration: .seconds(2)),
        cost: Report.Cost(), monitor: Report.Monitor(version: "0"))
      try reports.write(report)
      try FileManager.default.removeItem(atPath: folder + "/deep")
      try reports.write(report)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/deep/down")
      #expect(left.count == 2)
    }
  }

  @Test func `a relative path is one from where the monitor was started`() throws {
    let here = FileManager.default.currentDirectoryPath
    #expect(try ReportFolder(path: ".").path == here + "/.")
  }
}
