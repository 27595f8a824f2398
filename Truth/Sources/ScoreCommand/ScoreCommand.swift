import CommandLineOptions
import Glibc
import Score
import TruthLog

/// Compares what was injected with what was told, and says which goals are met.
@main
struct ScoreCommand {
  static func main() {
    StandardStream.guardDescriptors()
    do throws(UsageError) {
      let parsed = try syntax.parse(CommandLine.arguments.dropFirst())
      if parsed.contains(.help) {
        StandardStream.output.write(help.text)
        exit(ExitCode.success.rawValue)
      }
      exit(run(try Request(parsed)).rawValue)
    } catch {
      StandardStream.error.write("truth-score: \(error)\n")
      exit(ExitCode.usage.rawValue)
    }
  }

  fileprivate static let baselines = Option(
    name: "baselines", value: "FOLDER", help: "Logs of a run that the baselines watched, too")
  fileprivate static let stalls = Option(
    name: "stalls", value: "COUNT", help: "So many stalls from 1.1 T are to be there")
  fileprivate static let teller = Option(
    name: "teller", value: "NAME", help: "Judge what a baseline told, in place of the monitor")
  fileprivate static let json = Option(flag: "json", help: "Write JSON")
  fileprivate static let list = Option(
    flag: "list", help: "Write what was missed, falsely told or wrongly blamed, a line each")
  private static let syntax = Syntax(
    options: [baselines, stalls, teller, json, list, .help], operandsMax: 16)
  private static let help = HelpText(
    usage: "truth-score [OPTIONS] FOLDER…",
    summary:
      "Compares the truth that injectors logged in folders with what the monitor told. Ends with 1 "
      + "where a goal is missed.",
    sections: [HelpText.Section(options: syntax.options)])

  fileprivate struct Request {
    var folders: [String]
    var baselines: String?
    var teller: String
    var stallsMin: Int
    var isJSON: Bool
    var isList: Bool

    init(_ parsed: Arguments) throws(UsageError) {
      folders = parsed.operands
      guard !folders.isEmpty else { throw .missingOperand("the folder of the logs") }
      baselines = try parsed.value(of: ScoreCommand.baselines, as: String.self)
      teller = try parsed.value(of: ScoreCommand.teller, as: String.self) ?? "monitor"
      stallsMin = try parsed.integer(of: ScoreCommand.stalls, in: 0...1_000_000_000) ?? 0
      isJSON = parsed.contains(ScoreCommand.json)
      isList = parsed.contains(ScoreCommand.list)
    }
  }

  private static func run(_ request: Request) -> ExitCode {
    do {
      let sessions = try request.folders.map { try session(in: $0) }
      let score = Score(try Session(joining: sessions), teller: request.teller)
      if request.isList {
        StandardStream.output.write(score.complaints.map { $0 + "\n" }.joined())
        return .success
      }
      let table = try request.baselines.map { BaselineTable(try session(in: $0)) }
      if request.isJSON {
        StandardStream.output.write(score.json(stallsMin: request.stallsMin, baselines: table))
      } else {
        StandardStream.output.write(score.text(stallsMin: request.stallsMin))
        if let table {
          StandardStream.output.write(
            "\nOthers' rules, and the monitor once more, in a shorter run of the same grid:\n" + table.text)
        }
      }
      return score.isGood(stallsMin: request.stallsMin) ? .success : .failure
    } catch {
      StandardStream.error.write("truth-score: \(error)\n")
      return .failure
    }
  }

  private struct Unreadable: Error, CustomStringConvertible { let description: String }

  private static func session(in folder: String) throws -> Session {
    try Session(texts: ["truth.log", "reports.log"].map { try text(of: folder + "/" + $0) })
  }

  private static func text(of path: String) throws -> String {
    guard let file = unsafe fopen(path, "re") else { throw Unreadable(description: "\(path) cannot be read") }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      // SAFETY: reads at most the array's length into the array.
      let count = unsafe fread(&buffer, 1, buffer.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }
}
