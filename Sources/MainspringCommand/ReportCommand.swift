import CommandLineOptions
import Gzip
import StallReport

/// `mainspring report FILE|FOLDER`: lists, shows and converts reports of stalls.
struct ReportCommand: Command {
  static let name = "report"
  static let summary = "List, show or convert reports of stalls"

  private static let json = Option(
    flag: "json", help: "Print the report as JSON; of several, each on one line")
  private static let view = Option(
    name: "view", value: "VIEW",
    help: "How a report is shown: heavy (by weight, if nothing is said), timeline, apple, summary")
  private static let export = Option(
    name: "export", value: "FORMAT", help: "Print it in a format of other tools': \(formats)")
  private static let output = Option(
    name: "output", value: "FILE", help: "Write what --export makes to FILE")
  private static let symbols = Option(
    name: "symbols", value: "DIR",
    help: "Name functions that have no name from the debug files in DIR, by build-id")
  private static let options = [view, json, export, output, symbols]
  private static let formats = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")

  static let syntax = Syntax(options: options, operandsMax: 1)
  static let help = HelpText(
    usage: "mainspring report FILE|FOLDER [OPTIONS]",
    summary:
      "Shows the report in FILE, or lists those in FOLDER, the newest last. Reads .json and .json.gz, also several "
      + "reports of one line each. What is no report is named on standard error and left out; the exit code is 1 then.",
    sections: [
      HelpText.Section(options: syntax.options),
      HelpText.Section(
        "Examples",
        rows: [
          ("mainspring report stalls", "What stalled, a line each"),
          ("mainspring report stall.json.gz --view=timeline", "One stall, in the order of time"),
          ("mainspring report stalls --export=pprof --output=stalls.pb.gz", "All of them for go tool pprof"),
        ]),
    ])

  let path: String
  let form: ReportForm?
  let output: String?
  let symbols: String?

  init(_ arguments: Arguments) throws(UsageError) {
    guard let path = arguments.operands.first else { throw .missingOperand("the file or folder") }
    guard !path.isEmpty else { throw .unexpectedOperand("") }
    self.path = path
    form = try Self.form(arguments)
    output = try arguments.value(of: Self.output)
    symbols = try arguments.value(of: Self.symbols)
    if output != nil, !arguments.contains(Self.export) {
      throw .malformedValue(
        option: "output", MalformedArgument("it is for what --export makes, which is not there"))
    }
  }

  /// One of the options that choose what is printed, at most.
  private static func form(_ arguments: Arguments) throws(UsageError) -> ReportForm? {
    let chosen = [view, json, export].filter { arguments.contains($0) }
    if chosen.count > 1 {
      throw .malformedValue(
        option: chosen[1].name, MalformedArgument("it cannot go together with --\(chosen[0].name)"))
    }
    if arguments.contains(json) { return .json }
    if let word: ViewArgument = try arguments.value(of: view) { return .text(word.view) }
    if let word: FormatArgument = try arguments.value(of: export) { return .export(word.format) }
    return nil
  }

  func run() throws(Failure) {
    // Before the reports are read: it may be missing.
    var symbols = try symbols.map { (path) throws(Failure) in try SymbolFolder(path: path) }
    var source = try ReportSource(path: path)
    for index in source.reports.indices { symbols?.nameFrames(of: &source.reports[index]) }
    try write(source)
    if source.skippedCount > 0 {
      let what = source.skippedCount == 1 ? "one file was" : "\(source.skippedCount) files were"
      throw Failure(reason: "\(path): \(what) left out")
    }
  }

  private func write(_ source: ReportSource) throws(Failure) {
    let isMany = source.isFolder || source.reports.count > 1
    if source.reports.isEmpty, source.skippedCount == 0 {
      StandardStream.error.writeLine("mainspring: no reports in \(path)")
    }
    let form = form ?? (isMany ? .list : .text(.view(.heavy)))
    let bytes = try form.encode(source.reports, isMany: isMany)
    if let output { return try OutputFile.write(bytes, to: output) }
    if form.isBinary, StandardStream.output.isTerminal {
      throw Failure(reason: "this format is nothing for a terminal; --output=FILE writes it to a file")
    }
    guard StandardStream.output.write(bytes) else {
      throw Failure(reason: "standard output cannot be written")
    }
  }
}
