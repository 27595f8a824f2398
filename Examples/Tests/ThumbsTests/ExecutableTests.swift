import Foundation
import Testing

@testable import Thumbs

@Suite(.timeLimit(.minutes(1))) struct `The executable` {
  private struct Outcome {
    var code: Int32
    var output: String
    var error: String
  }

  /// Runs a shell command in a fresh folder; `$Thumbs` is the program that was built beside the tests.
  private func run(_ command: String) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("thumbs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    let beside = try #require(CommandLine.arguments.first)
    let program = URL(fileURLWithPath: beside).deletingLastPathComponent().appendingPathComponent("Thumbs")
    process.environment = ["Thumbs": program.path, "PATH": "/usr/bin:/bin"]
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // Both texts are far shorter than a pipe's buffer, so that neither read can block the program.
    let texts = [output, error].map { pipe in
      String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Outcome(code: process.terminationStatus, output: texts[0], error: texts[1])
  }

  private static let picture = "/usr/share/backgrounds/mate/nature/Dune.jpg"

  @Test func `one small picture is done at once, and the name moves no cursor`() throws {
    let outcome = try run(
      "mkdir in && cp \(Self.picture) \"in/$(printf 'a\\033[31m\\nb.jpg')\" && \"$Thumbs\" --pictures=in")
    #expect(outcome.code == 0)
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(!outcome.error.contains("\u{1B}"))
    #expect(outcome.output.contains("a\u{FFFD}[31m\u{FFFD}b.jpg"))
  }

  @Test(arguments: [
    ("mkdir in; \"$Thumbs\" --pictures=in", "no JPEG or PNG picture in 'in'"),
    ("touch o; \"$Thumbs\" --output=o", "cannot write to 'o': Not a directory"),
    ("\"$Thumbs\" --reports=/proc/x", "cannot write to '/proc'"),
    ("\"$Thumbs\" --help >/dev/full", "standard output cannot be written"),
    ("\"$Thumbs\" --help >&-", "standard output cannot be written"),
  ])
  func `what cannot be done is one line on standard error, and nothing is made`(
    command: String, message: String
  ) throws {
    let outcome = try run(command + "; code=$?; test ! -e stalls && test ! -e thumbnails && exit $code")
    #expect(outcome.error.hasPrefix("Thumbs: "))
    #expect(outcome.error.contains(message) || getuid() == 0 && command.contains("/proc"))
    #expect(outcome.error.split(separator: "\n").count == 1)
    #expect(outcome.code == 1)
  }

  @Test func `on a terminal nothing is written behind the bar, and colours only where they are wanted`()
    throws
  {
    for (variables, isColored) in [("TERM=xterm", true), ("TERM=xterm NO_COLOR=1", false)] {
      let outcome = try run(
        "mkdir in && cp \(Self.picture) in && \(variables) script -qec '\"$Thumbs\" --pictures=in' /dev/null")
      #expect(outcome.code == 0)
      let parts = outcome.output.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
      #expect(parts.count == 2, "erased once")
      #expect(parts.last?.contains("done") == false)
      #expect(outcome.output.contains("\u{1B}[1") == isColored)
    }
  }

  @Test func `a summary that cannot be written is a failure`() throws {
    let outcome = try run("mkdir in && cp \(Self.picture) in && \"$Thumbs\" --pictures=in >/dev/full")
    #expect(outcome.code == 1)
    #expect(outcome.error.contains("standard output cannot be written"))
  }
}
