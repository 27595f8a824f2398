import Foundation
import Testing

/// Programs whose main actor runs on the main loop, built beside the tests: `MainActorProgram` has the scenarios.
@Suite struct MainActorProgramTests {
  private func told(_ scenario: String, exitCode: Int32 = 0, crashes: Bool = false) throws -> [String] {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appendingPathComponent("MainActorProgram")
    process.arguments = [scenario]
    // What crashes on purpose is not to be explained at length.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    if crashes { process.standardError = errors }
    try process.run()
    let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == (crashes ? .uncaughtSignal : .exit))
    if !crashes { #expect(process.terminationStatus == exitCode) }
    return told.split(separator: "\n").map(String.init)
  }

  @Test func `M58: a service of actors, sleeps, timers and a socket runs on the main loop`() throws {
    #expect(
      try told("service") == [
        "main actor on the loop: true", "heard one", "heard two", "heard three", "back on the main actor",
        "3 beats, 4 readinesses",
      ])
  }

  @Test func `M58: sleeps of tasks are timers of the main loop, on either clock, and take their time`() throws
  {
    let lines = try told("sleeps")
    let names = [
      "for a duration", "for nanoseconds", "on the continuous clock", "on the suspending clock",
      "with a tolerance", "by the loop",
    ]
    #expect(lines == names.flatMap { ["\($0): 1 timer", "slept: true, 0 timers"] })
  }

  @Test
  func
    `M58: a thousand cancelled sleeps of the main loop leave no timer, those of Task stay till their date`()
    throws
  {
    #expect(
      try told("cancelled-sleeps") == [
        "1000 sleeps of the loop cancelled: 0 timers", "10 of the standard library's: 10 timers",
      ])
  }

  @Test
  func `M58: the main actor and what belongs to the main loop are on the main thread, the rest is elsewhere`()
    throws
  {
    #expect(
      try told("hops") == [
        "main begins", "an actor on the main loop", "an actor on another loop (elsewhere)", "main goes on",
        "a task that prefers the loop", "a detached task (elsewhere)", "MainActor.run", "added: 4000, 4000",
        "the thread is stopped",
      ])
  }

  @Test func `M13: a run nested in code of the main actor leaves the main actor's other jobs alone`() throws {
    #expect(
      try told("nested") == [
        "a timer", "nested run over", "a job", "the second over", "the third over", "another job", "awaited",
      ])
  }

  @Test func `M58: before main was first suspended, a run of the main loop serves jobs`() throws {
    #expect(try told("run-inside") == ["a job", "run: finished"])
  }

  @Test func `M58: stops end what is nested in the program's run of the main loop, and not that`() throws {
    #expect(try told("stops") == ["nested: stopped", "goes on"])
  }

  @Test
  func `M58, M14: the main dispatch queue is served beside the main actor's jobs, where that is asked for`()
    throws
  {
    #expect(
      try told("main-queue") == ["a block of the main queue", "main goes on", "a task from the main queue"])
  }

  @Test func `M58: the program ends as main does, whatever is in the loop`() throws {
    #expect(try told("main-returns") == ["main returns"])
    #expect(try told("main-throws", crashes: true) == ["main throws"])
    #expect(try told("main-exits", exitCode: 7) == ["a timer exits"])
  }
}
