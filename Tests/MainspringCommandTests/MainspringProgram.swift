import Foundation
import Testing

/// The program that was built beside the tests.
enum MainspringProgram {
  struct Result: Equatable {
    var code: Int32
    var output: String
    var error: String
  }

  /// Runs it with these arguments, and answers what it wrote, as text.
  static func run(_ arguments: [String]) throws -> Result {
    let result = try runForBytes(arguments)
    return Result(
      code: result.code, output: String(decoding: result.output, as: UTF8.self), error: result.error)
  }

  static func runForBytes(_ arguments: [String]) throws -> (code: Int32, output: [UInt8], error: String) {
    let beside = try #require(CommandLine.arguments.first)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: beside).deletingLastPathComponent()
      .appendingPathComponent("mainspring")
    process.arguments = arguments
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // What goes to the second pipe is far shorter than its buffer, so that reading the first one to its end cannot block
    // the program.
    let texts = [output, error].map { [UInt8]($0.fileHandleForReading.readDataToEndOfFile()) }
    process.waitUntilExit()
    return (process.terminationStatus, texts[0], String(decoding: texts[1], as: UTF8.self))
  }
}
