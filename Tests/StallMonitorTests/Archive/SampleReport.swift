import Foundation
import LinuxKernel
import StallReport

@testable import StallMonitor

extension Report {
  /// A report with what an archive looks at, and the rest as short as can be.
  static func sample(
    id: Identifier = .random(), state: State = .ongoing, startUnix: UnixTime = .now,
    start: UInt64 = 1_000_000_000,
    duration: Duration = .seconds(1), item: String = "timer"
  ) -> Report {
    var report = Report(
      id: id, kind: .stall, state: state, app: Application(name: "tested"), process: Process(pid: 1),
      loop: Loop(id: 1, name: "tested", thread: ThreadName(tid: 1, name: nil), mode: nil),
      phase: Phase(name: PhaseName(rawValue: item)),
      time: Time(
        startUnix: startUnix, start: MonotonicTime(nanoseconds: start), end: nil,
        threshold: .milliseconds(250),
        duration: duration),
      cost: Cost(), monitor: Monitor(version: "0"))
    report.app.version = "1.2.3"
    report.annotations = ["tenant": "blue"]
    report.computeFingerprint()
    return report
  }
}

extension Report.UnixTime {
  /// So many seconds after a night in November.
  static func night(_ seconds: Int64 = 0) -> Report.UnixTime {
    Report.UnixTime(nanoseconds: (1_796_000_000 + seconds) * 1_000_000_000)
  }
}

/// A folder for one test, taken away afterwards.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Every file in it, hidden ones too, with the folders that it is in.
  var files: [String] {
    let paths = FileManager.default.subpaths(atPath: path) ?? []
    return paths.filter { !isFolder($0) }.sorted()
  }

  func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    // SAFETY: the call writes one value, which outlives it.
    return unsafe FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
      && isFolder.boolValue
  }

  func put(_ text: String, as name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func bytes(of name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }
}
