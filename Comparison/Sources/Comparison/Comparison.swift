import CProcess
import CommandLineOptions
import Foundation
import Workbench

/// Compares CFRunLoop and Mainspring, side by side.
@main
struct Comparison {
  static func main() {
    StandardStream.guardDescriptors()
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

  private static func run(_ arguments: some Sequence<String>) -> ExitCode {
    do throws(UsageError) {
      switch try Request(arguments) {
      case .show(let text): return write(text)
      case .play(let scenario, let side):
        process_begin_side()
        scenario.play(side, Notes())
        // Threads of the scenario may be on still, some of them for ever.
        _exit(ExitCode.success.rawValue)
      case .compare(let scenarios, let output): return compare(scenarios, output)
      }
    } catch {
      complain("\(error)")
      return .usage
    }
  }

  private static func compare(_ scenarios: [any Scenario], _ output: Request.Output) -> ExitCode {
    let watch = Stopwatch()
    var progress = Progress(total: scenarios.count)
    var rows: [Row] = []
    for (index, scenario) in scenarios.enumerated() {
      rows.append(
        Row(measuring: scenario) { side in progress.show(index, "\(scenario.name), \(side.name)") })
    }
    progress.end()
    let report = Report(rows: rows, machine: .this, duration: watch.elapsed)
    let isWritten = show(report, output)
    return isWritten == .success && !report.isAcceptable ? .failure : isWritten
  }

  private static func show(_ report: Report, _ output: Request.Output) -> ExitCode {
    switch output {
    case .json: return write(report.json)
    case .markdown: return write(report.markdown)
    case .table(let isPlain):
      let stream = StandardStream.output
      return write(report.text(width: stream.columns ?? 120, isColored: stream.hasColors && !isPlain))
    case .page(let path):
      do {
        let page = Page(text: try String(contentsOfFile: path, encoding: .utf8))
        try report.filling(page).write(toFile: path, atomically: true, encoding: .utf8)
        return .success
      } catch {
        complain("'\(path)' cannot be written: \(error.localizedDescription)")
        return .failure
      }
    }
  }

  private static func write(_ text: String) -> ExitCode {
    if StandardStream.output.write(text) { return .success }
    complain("standard output cannot be written")
    return .failure
  }

  private static func complain(_ text: String) { StandardStream.error.writeLine("Comparison: \(text)") }
}
