import CommandLineOptions
import Glibc

/// What the monitor costs the loops that it watches: the time of a pass, its allocations, and wake-ups while all wait.
@main struct CostCommand {
  static func main() {
    StandardStream.guardDescriptors()
    do throws(UsageError) {
      let parsed = try syntax.parse(CommandLine.arguments.dropFirst())
      if parsed.contains(.help) {
        StandardStream.output.write(help.text)
        exit(ExitCode.success.rawValue)
      }
      let file = try parsed.value(of: save, as: String.self)
      exit(run(isJSON: parsed.contains(json), file: file).rawValue)
    } catch {
      StandardStream.error.write("truth-cost: \(error)\n")
      exit(ExitCode.usage.rawValue)
    }
  }

  private static let json = Option(flag: "json", help: "Write JSON")
  private static let save = Option(name: "save", value: "FILE", help: "Put the JSON into a file, too")
  private static let syntax = Syntax(options: [json, save, .help])
  private static let help = HelpText(
    usage: "truth-cost [OPTIONS]",
    summary:
      "Measures what being watched costs a loop: the time of a pass, its allocations, and the monitor's wake-ups "
      + "while all loops wait. Ends with 1 where a goal is missed.",
    sections: [HelpText.Section(options: syntax.options)])

  private struct Unwritable: Error, CustomStringConvertible { let description: String }

  private static func run(isJSON: Bool, file: String?) -> ExitCode {
    do {
      // Before time is spent on what could not be saved.
      let saved = try file.map { path in
        guard let saved = fopen(path, "we") else {
          throw Unwritable(description: "\(path) cannot be written")
        }
        return saved
      }
      let costs = try Costs.measure()
      if let saved {
        let isWritten = fputs(costs.json, saved) >= 0
        guard fclose(saved) == 0, isWritten else {
          throw Unwritable(description: "\(file!) cannot be written")
        }
      }
      StandardStream.output.write(isJSON ? costs.json : costs.text)
      return costs.isGood ? .success : .failure
    } catch {
      StandardStream.error.write("truth-cost: \(error)\n")
      return .failure
    }
  }
}
