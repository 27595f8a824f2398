import Foundation
import Testing

/// The main loop and the main dispatch queue, in a program of its own, built beside the tests.
@Suite struct MainQueueTests {
  @Test func `M14: the main queue, its sources and OperationQueue.main are served by the main loop`() throws {
    #expect(
      try told("served") == [
        "async, on the main thread: true", "source, on the main thread: true",
        "sync, on the main thread: true", "operation, on the main thread: true", "ended: stopped",
      ])
  }

  @Test func `M14: the main actor runs on the main loop where it has no executor of its own`() throws {
    #expect(
      try told("actors") == [
        "main actor, on the main thread: true", "after a sleep, on the main thread: true", "ended: stopped",
      ])
  }

  @Test func `CF 81: one turn does what is queued at that moment, and looks at no stop meanwhile`() throws {
    #expect(
      try told("snapshot") == [
        "pass", "first", "second", "ended: stopped",
        "pass", "given by the first", "given by the second", "ended: handledSource",
      ])
  }

  @Test func `CF 22: a queue that is never empty starves no timer and no block`() throws {
    #expect(try told("fair") == ["ended: stopped, 20 beats, queue served: true"])
  }

  @Test func `M1, CF 22: the queue is looked at before the loop would sleep, and not in two passes in a row`()
    throws
  {
    #expect(
      try told("peek") == [
        "beforeTimers", "beforeWaiting", "afterWaiting", "timer",
        "beforeTimers", "source", "from the source", "block",
        "beforeTimers", "beforeWaiting", "afterWaiting", "from the queue", "ended: stopped",
      ])
  }

  @Test func `CF 27: a turn of the queue is a handled source`() throws {
    #expect(
      try told("handled") == [
        "block", "ended: handledSource, handled: true", "timer", "peeked at",
        "ended: timedOut, handled: true",
      ])
  }

  @Test func `M14, CF 80: a run nested in a block of the queue serves the loop's blocks, not the queue`()
    throws
  {
    #expect(
      try told("nested-in-block") == [
        "outer begins", "block of the loop's own", "nested: finished", "timer", "nested: finished",
        "outer ends", "second block of the queue", "ended: stopped",
      ])
  }

  @Test func `M14, CF 80: a run nested in anything else serves the queue`() throws {
    #expect(
      try told("nested-in-timer") == ["block of the queue", "nested: stopped", "ended: stopped"])
  }

  @Test func `M14, CF 80: the queue is served in the common modes alone`() throws {
    #expect(
      try told("modes") == [
        "aside: finished", "timer aside", "timer aside", "aside: finished", "in tracking",
        "tracking: stopped",
        "in aside", "aside: stopped",
      ])
  }

  @Test func `M8: the queue keeps the main loop alive, and once it is no longer served does not`() throws {
    #expect(
      try told("ended") == [
        "the same: true", "first", "ended: finished", "ended: finished", "another: true", "second",
        "ended: finished",
      ])
  }

  @Test func `M61: the main queue hosts the loop, whoever serves it`() throws {
    #expect(
      try told("hosted") == [
        "block", "block from elsewhere after 3 beats, on the main thread: true", "hosted: false",
        "run by itself",
      ])
    #expect(
      try told("hosted-and-served") == ["hosted in tracking", "served", "ended: finished", "hosted: true"])
  }

  @Test func `M12: off the main thread, after dispatchMain and in a circle it traps, and says why`() throws {
    let elsewhere = try trap("served-elsewhere")
    #expect(elsewhere.contains("tried to serve the main dispatch queue; only the main thread can"))
    #expect(try trap("after-dispatch-main").contains("after dispatchMain() not even that"))
    #expect(try trap("served-while-hosted").contains("which cannot serve it meanwhile"))
  }
}

/// What a scenario tells, line by line.
private func told(_ scenario: String) throws -> [String] {
  let program = MainQueueRun(scenario)
  let (output, _) = try program.run()
  #expect(program.process.terminationReason == .exit)
  #expect(program.process.terminationStatus == 0)
  return output.split(separator: "\n").map(String.init)
}

/// What a scenario says as it traps.
private func trap(_ scenario: String) throws -> String {
  let program = MainQueueRun(scenario)
  let (_, errors) = try program.run()
  #expect(program.process.terminationReason == .uncaughtSignal)
  return errors
}

private struct MainQueueRun {
  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  init(_ scenario: String) {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("MainQueueProgram")
    process.arguments = [scenario]
    // What crashes on purpose is not to be explained at length.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = output
    process.standardError = errors
  }

  /// What it writes. It writes too little to fill one pipe while the other is read.
  func run() throws -> (output: String, errors: String) {
    try process.run()
    let written = [output, errors].map {
      String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (written[0], written[1])
  }
}
