import Foundation
import Testing

@Suite struct MainRunLoopTests {
  @Test func `M43: the main thread's loop takes closures of the main actor and runs what others send it`()
    throws
  {
    let program = try #require(Self.program)
    let process = Process()
    process.executableURL = program
    let output = Foundation.Pipe()
    process.standardOutput = output
    try process.run()
    let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      told.split(separator: "\n").map(String.init) == [
        "main is current", "block on the main actor: 0", "observed exit", "first run: finished, 3 beats",
        "block from elsewhere, on the main thread: true", "stopped a run: true", "second run: stopped",
        "kept stop: stopped",
      ])
  }

  /// The program is built beside the tests.
  private static var program: URL? {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let program = folder.appendingPathComponent("MainRunLoopProgram")
    return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
  }
}
