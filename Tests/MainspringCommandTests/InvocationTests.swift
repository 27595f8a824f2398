import CommandLineOptions
import Testing

@testable import MainspringCommand

@Suite struct Invocations {
  private func shown(_ line: [String]) throws -> String? {
    if case .show(let text) = try Invocation(line) { text } else { nil }
  }

  @Test func `help and version are shown`() throws {
    #expect(try shown(["--version"]) == "mainspring 0.1.0\n")
    #expect(try shown(["--help"])?.hasPrefix("Usage: mainspring COMMAND [OPTIONS]\n") == true)
    #expect(try shown(["help", "--help"])?.hasPrefix("Usage: mainspring help [COMMAND]\n") == true)
    #expect(try shown(["--version", "--help"]) == shown(["--help"]))
  }

  @Test func `every help fits eighty columns and lists every command`() throws {
    for line in [["--help"]] + Invocation.commands.map({ [$0.name, "--help"] }) {
      let text = try #require(try shown(line))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
    for command in Invocation.commands {
      #expect(try shown(["--help"])?.contains("\n  \(command.name) ") == true)
    }
  }

  @Test(
    arguments: [
      ([], "the command is missing; --help lists what there is"),
      (["--"], "the command is missing; --help lists what there is"),
      (["hlep"], "unknown command 'hlep'; did you mean help?"),
      (["dance"], "unknown command 'dance'; --help lists what there is"),
      (["--vresion"], "unknown option '--vresion'; did you mean --version?"),
      (["--help", "--nonsense"], "unknown option '--nonsense'; --help lists what there is"),
      (["--help=yes"], "--help takes no value; write --help"),
      (["help", "dance"], "unknown command 'dance'; --help lists what there is"),
      (["help", "help", "help"], "unexpected argument 'help'; --help lists what there is"),
      (["report"], "the file or folder is missing; --help lists what there is"),
      (["report", "a", "b"], "unexpected argument 'b'; --help lists what there is"),
      (["report", "a", "--view=havy"], "--view: 'havy' is not known; did you mean heavy?"),
      (
        ["report", "a", "--export=x"],
        "--export: 'x' is not known; write one of collapsed, speedscope, pprof, chrome-trace, firefox, otlp, sentry"
      ),
      (["report", "a", "--json", "--view=heavy"], "--json: it cannot go together with --view"),
      (["report", "a", "--output=b"], "--output: it is for what --export makes, which is not there"),
      (["--version", "help"], "unexpected argument 'help'; --help lists what there is"),
    ] as [([String], String)])
  func `a wrong line is refused with one line`(line: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Invocation(line) }
    #expect(error?.description == message)
  }
}
