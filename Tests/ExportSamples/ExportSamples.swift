import Foundation
import StallReport

/// Stalls a loop in several ways, and writes the reports of it in every format, for tools to be tried on:
/// `ExportSamples FOLDER [REPORT]...`, with sets of reports from files as well.
///
/// The trace of two loops is written, too.
///
/// For each set of reports there are `SET.ndjson`, the reports as they are, and a file a format.
@main enum ExportSamples {
  static func main() throws {
    guard CommandLine.arguments.count >= 2 else {
      FileHandle.standardError.write(Data("usage: ExportSamples FOLDER [REPORT]...\n".utf8))
      exit(2)
    }
    let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let real = try StalledService().reports()
    guard let busiest = real.max(by: { $0.samples.count < $1.samples.count }) else {
      FileHandle.standardError.write(Data("ExportSamples: no stall was reported\n".utf8))
      exit(1)
    }
    var sets = [("real", real), ("one", [busiest]), ("odd", Report.odd(like: busiest))]
    for path in CommandLine.arguments.dropFirst(2) {
      let file = URL(filePath: path)
      sets.append(
        (file.deletingPathExtension().lastPathComponent, [try Report(json: [UInt8](Data(contentsOf: file)))]))
    }
    for (name, reports) in sets {
      let text = reports.map { $0.json() + "\n" }.joined()
      try Data(text.utf8).write(to: folder.appending(path: "\(name).ndjson"))
      for format in ExportFormat.allCases {
        try Data(format.encode(reports)).write(
          to: folder.appending(path: "\(name).\(format.fileExtension)"))
      }
      print("\(name): \(reports.count) reports")
    }
    try TracedLoops().write(to: folder)
  }
}

extension Report {
  /// What tools could stumble over: names with everything in them that means something somewhere, no samples, no stacks.
  static func odd(like real: Report) -> [Report] {
    let hostile = "a;b\n\"<c>\u{0}\u{7F}\u{2028}\u{202E}😀\\ & 7"
    var named = real
    named.id = Identifier(high: 1, low: 1)
    named.app.name = hostile
    named.loop.name = hostile
    named.host.name = hostile
    named.annotations = [hostile: hostile]
    named.breadcrumbs = [Breadcrumb(time: .milliseconds(-1), category: hostile, message: hostile)]
    let frames = ["main", hostile, "f() -> [A<B>]", ""].map { Frame(symbol: $0, isInApp: true) }
    named.samples.append(
      Sample(
        time: .milliseconds(1), stack: named.stacks.index(ofStack: frames.reversed()),
        weight: .milliseconds(250), state: "R"))
    named.computeFingerprint()
    var bare = Report(
      id: Identifier(high: 1, low: 2), kind: .stall, state: .ongoing, app: Application(name: "bare"),
      process: Process(pid: 1),
      loop: Loop(id: 1, name: "main", thread: ThreadName(tid: 1, name: nil), mode: nil),
      phase: Phase(name: .timer),
      time: Time(
        startUnix: real.time.startUnix, start: MonotonicTime(nanoseconds: 5), end: nil,
        threshold: .milliseconds(250), duration: .milliseconds(300)),
      cost: Cost(), monitor: Monitor(version: "0.1"))
    bare.computeFingerprint()
    var asleep = bare
    asleep.id = Identifier(high: 1, low: 3)
    asleep.samples = [
      Sample(time: .milliseconds(100), stack: nil, weight: .milliseconds(300), state: "D", method: .none)
    ]
    return [named, bare, asleep]
  }
}
