import CommandLineOptions
import Foundation
import ScrollDriver
import Tables

/// Measures the example ScrollList: the naive way of loading pictures beside the loop's idle queue.
@main
struct ScrollTable {
  static func main() {
    StandardStream.guardDescriptors()
    exit(run(CommandLine.arguments.dropFirst()).rawValue)
  }

  private static let runs = Option(
    name: "runs", value: "N", help: "How often each way is measured; 3 by default")
  private static let images = Option(name: "screenshots", value: "FOLDER", help: "Where screenshots are put")
  private static let json = Option(flag: "json", help: "Write JSON in place of the table")
  private static let syntax = Syntax(options: [runs, images, json, .help], operandsMax: 1)

  private static func run(_ arguments: some Sequence<String>) -> ExitCode {
    do {
      let parsed = try syntax.parse(arguments)
      guard !parsed.contains(.help), let program = parsed.operands.first else {
        let help = HelpText(
          usage: "ScrollTable [OPTIONS] PROGRAM", summary: "Measures the example ScrollList, the program.",
          sections: [.init(options: syntax.options)])
        return StandardStream.output.write(help.text) ? .success : .failure
      }
      let count = try parsed.integer(of: runs, in: 1...100) ?? 3
      let folder = try parsed.value(of: images, as: String.self)
      let results = try measure(program, count, screenshots: folder)
      let text = try parsed.contains(json) ? Self.json(results) : Self.table(results)
      return StandardStream.output.write(text) ? .success : .failure
    } catch let error as UsageError {
      StandardStream.error.writeLine("ScrollTable: \(error)")
      return .usage
    } catch {
      StandardStream.error.writeLine("ScrollTable: \(error)")
      return .failure
    }
  }

  private static func measure(_ program: String, _ count: Int, screenshots: String?) throws -> [Result] {
    // So that the first run does not wait for the disk where the others do not.
    _ = try Scene(with: ScrollProgram(program), flicks: 2)
    var results: [Result] = []
    // In turn, so that what else the machine does comes to all of them.
    for run in 0..<count {
      for way in Way.all {
        StandardStream.error.writeLine("ScrollTable: run \(run + 1) of \(count), \(way.name)")
        results.append(try Result(of: way, with: program, screenshots: run == 0 ? screenshots : nil))
      }
    }
    return results
  }

  private static func json(_ results: [Result]) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(results), as: UTF8.self) + "\n"
  }

  private static func table(_ results: [Result]) -> String {
    var table = ResultTable(
      columns: [.init(head: "")] + Way.all.map { .init(head: $0.name, isNumber: true) })
    for row in Row.all {
      table.add([row.name] + Way.all.map { way in row.text(results.filter { $0.way == way.name }) })
    }
    return table.text
  }
}
