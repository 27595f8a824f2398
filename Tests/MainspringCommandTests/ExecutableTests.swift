import Foundation
import Testing

@Suite struct `The executable` {
  private struct Result: Equatable {
    var code: Int32
    var output: String
    var error: String
  }

  /// Runs the program that was built beside the tests.
  private func run(_ arguments: String...) throws -> Result {
    let beside = try #require(CommandLine.arguments.first)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: beside).deletingLastPathComponent()
      .appendingPathComponent("mainspring")
    process.arguments = arguments
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // Both texts are far shorter than a pipe's buffer, so that neither read can block the program.
    let texts = [output, error].map { pipe in
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Result(code: process.terminationStatus, output: texts[0], error: texts[1])
  }

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
