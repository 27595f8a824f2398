import CommandLineOptions
import Glibc

/// Counts what operations of the loop cost, and compares with what they may.
@main
struct Counts {
  static func main() {
    StandardStream.guardDescriptors()
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

  /// Where the limits are, from the folder of the project.
  private static let limitsFile = TextFile("Benchmarks/counts.txt")

  private static func run(_ arguments: some Sequence<String>) -> ExitCode {
    do throws(UsageError) {
      let request = try Request(arguments)
      do {
        switch request {
        case .show(let text): StandardStream.output.write(text)
        case .measure(let operation, let hasOldEpoll):
          try MeasuredProgram.run(operation, hasOldEpoll: hasOldEpoll)
        case .breakDown(let operation):
          let breakdown = try Measurement.breakdown(of: operation)
          StandardStream.output.write(breakdown.text(width: StandardStream.output.columns ?? 160))
        case .count(let operations, let output): return try count(operations, output)
        }
        return .success
      } catch {
        complain("\(error)")
        return .failure
      }
    } catch {
      complain("\(error)")
      return .usage
    }
  }

  private static func count(_ operations: [Operation], _ output: Request.Output) throws -> ExitCode {
    var limits = try Limits(text: limitsFile.read())
    let start = SuspendingClock.now
    let progress = Progress(isShown: output == .table || output == .rebase)
    let measurement = try Measurement(of: operations) { progress.show($0, of: $1) }
    progress.end()
    let report = Report(
      rows: operations.map { Row($0, measurement.counts[$0.name] ?? [:], limits) },
      unknown: limits.operations.subtracting(Operations.all.map(\.name)).sorted(),
      duration: start.duration(to: .now))
    show(report, output)
    if output == .rebase { try rebase(&limits, on: report) }
    return report.isAcceptable ? .success : .failure
  }

  private static func show(_ report: Report, _ output: Request.Output) {
    switch output {
    case .json: StandardStream.output.write(report.json)
    case .complaints: StandardStream.error.write(report.complaints)
    case .table, .rebase:
      StandardStream.output.write(report.text(isColored: StandardStream.output.hasColors))
    }
  }

  private static func rebase(_ limits: inout Limits, on report: Report) throws {
    var lowered: [String] = []
    for row in report.rows {
      for figure in row.figures {
        guard case .wellBelow(let number) = figure.verdict, let limit = figure.limit else { continue }
        limits.lower(row.operation.name, figure.measure, to: number)
        lowered.append("\(row.operation.name) \(figure.measure.rawValue) \(number)  \(limit.reason)\n")
      }
    }
    guard !lowered.isEmpty else { return }
    try limitsFile.write(limits.text)
    StandardStream.output.write("\nLowered; read whether the reasons still hold:\n" + lowered.joined())
  }

  private static func complain(_ text: String) { StandardStream.error.write("counts: \(text)\n") }
}
