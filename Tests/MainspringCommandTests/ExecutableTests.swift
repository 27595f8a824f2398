import Foundation
import Testing

@Suite struct `The executable` {
  private typealias Result = MainspringProgram.Result

  private func run(_ arguments: String...) throws -> Result { try MainspringProgram.run(arguments) }

  @Test func `it answers on standard output and leaves with 0`() throws {
    #expect(try run("--version") == Result(code: 0, output: "mainspring 0.1.0\n", error: ""))
    let help = try run("--help")
    #expect(help == Result(code: 0, output: help.output, error: ""))
    #expect(try run("help") == help)
  }

  @Test func `a wrong line is one line on standard error and 64`() throws {
    #expect(
      try run("--vers")
        == Result(
          code: 64, output: "", error: "mainspring: unknown option '--vers'; did you mean --version?\n"))
    #expect(
      try run("hepl")
        == Result(code: 64, output: "", error: "mainspring: unknown command 'hepl'; did you mean help?\n"))
    #expect(try run().code == 64)
  }
}
