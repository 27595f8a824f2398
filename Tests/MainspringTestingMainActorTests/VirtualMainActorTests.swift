import Foundation
import Testing

/// Programs that test their main actor on virtual time, built beside the tests: `VirtualMainProgram` has the scenarios.
@Suite struct VirtualMainActorTests {
  private func told(_ scenario: String) throws -> [String] {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appendingPathComponent("VirtualMainProgram")
    process.arguments = [scenario]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    return told.split(separator: "\n").map(String.init)
  }

  @Test
  func `M65: sleeps of the standard library are exact on the main actor's virtual time, as its clocks are`()
    throws
  {
    #expect(
      try told("sleeps") == [
        "for a duration: 3600.0 seconds", "for nanoseconds: 3600.000000001 seconds",
        "on each clock: 3604.000000001 seconds, 6 jumps",
        "the clocks: 3604.000000001 seconds, 3604.000000001 seconds", "over: 0.0 seconds",
      ])
  }

  @Test func `M65: all that code of the main actor begins is on its time and its thread`() throws {
    #expect(
      try told("everything") == [
        "child at 30.0 seconds", "child at 60.0 seconds", "child at 90.0 seconds", "nobody's at 90.0 seconds",
        "timer at 100.0 seconds", "tick at 130.0 seconds", "detached task at 150.0 seconds",
        "tick at 170.0 seconds", "timer at 200.0 seconds", "task of the main actor at 250.0 seconds",
        "nested: true", "250.0 seconds, 9 jumps",
      ])
  }

  @Test func `M65: closures that ask for the main actor's time at once have it one after the other`() throws {
    #expect(try told("turns") == (1...3).map { "\($0): 7200.0 seconds" })
  }

  @Test func `M65: a closure of the main actor that nobody can wake is told as stuck, and cancelled`() throws
  {
    #expect(
      Set(try told("stuck")) == ["stuck: true", "cancelled: true", "the next: 1.0 seconds"])
  }

  @Test
  func `M65: what other threads began before has its own time, and threads on virtual time have theirs`()
    throws
  {
    #expect(
      try told("apart") == [
        "a sleep elsewhere: failure(Swift.CancellationError())", "on a thread: 3600.0 seconds",
      ])
  }
}
