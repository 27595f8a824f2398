import CommandLineOptions
import Foundation
import Workbench

/// Measures run loops side by side.
@main
struct Bench {
  static func main() {
    StandardStream.guardDescriptors()
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

  private static func run(_ arguments: some Sequence<String>) -> ExitCode {
    do throws(UsageError) {
      switch try Request(arguments) {
      case .show(let text): return write(text)
      case .burn: Hog.burn()
      case .measure(let plan, let pace, let output): return measure(plan, pace, output)
      case .grow(let growths, let pace, let folder, let page): return grow(growths, pace, folder, page)
      }
    } catch {
      complain("\(error)")
      return .usage
    }
  }

  private static func measure(_ plan: Plan, _ pace: Request.Pace, _ output: Request.Output) -> ExitCode {
    guard let report = report(of: plan, pace) else { return .failure }
    return show(report, output)
  }

  private static func grow(_ growths: [Growth], _ pace: Request.Pace, _ folder: String, _ page: String?)
    -> ExitCode
  {
    guard let report = report(of: .of(growths), pace) else { return .failure }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for growth in growths {
        try growth.table(of: report.samples).write(
          toFile: "\(folder)/\(growth.name).tsv", atomically: true, encoding: .utf8)
      }
      if let page { try fill(page) { name in name == "growth" ? report.foot : nil } }
      return .success
    } catch {
      complain("the growth cannot be written: \(error.localizedDescription)")
      return .failure
    }
  }

  /// What measuring gives, or nil if it cannot be begun.
  private static func report(of plan: Plan, _ pace: Request.Pace) -> Report? {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let session = Session(
      plan: plan, program: PeerProgram(folder: folder.path, cap: pace.cap), repetitionsMax: pace.repetitions,
      budget: pace.budget)
    let (start, loadBefore) = (SuspendingClock.now, loadAverage)
    do throws(ChildProcess.StartError) {
      let (samples, repetitions) = try session.run()
      return Report(
        samples: samples, plan: plan,
        circumstances: Report.Circumstances(
          machine: .this, date: today, repetitions: repetitions, duration: start.duration(to: .now),
          loadAverages: (loadBefore, loadAverage)))
    } catch {
      complain(error.description)
      return nil
    }
  }

  private static func fill(_ path: String, _ text: (String) -> String?) throws {
    let page = Page(text: try String(contentsOfFile: path, encoding: .utf8))
    try page.filled(text).write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static func show(_ report: Report, _ output: Request.Output) -> ExitCode {
    switch output {
    case .json: return write(report.json)
    case .tables(let isPlain): return write(text(of: report, isPlain))
    case .page(let path, let isPlain):
      // What was measured is shown, whether it could be written or not.
      let isShown = write(text(of: report, isPlain))
      do {
        try fill(path, report.pageText)
        return isShown
      } catch {
        complain("'\(path)' cannot be written: \(error.localizedDescription)")
        return .failure
      }
    }
  }

  private static func text(of report: Report, _ isPlain: Bool) -> String {
    report.text(isColored: StandardStream.output.hasColors && !isPlain)
  }

  private static var loadAverage: Double {
    var load = 0.0
    // SAFETY: the call writes one number.
    return unsafe getloadavg(&load, 1) == 1 ? load : 0
  }

  private static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

  private static func write(_ text: String) -> ExitCode {
    if StandardStream.output.write(text) { return .success }
    complain("standard output cannot be written")
    return .failure
  }

  private static func complain(_ text: String) { StandardStream.error.writeLine("bench: \(text)") }
}
