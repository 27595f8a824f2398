import Foundation
import Testing

/// Scenarios of a program of its own, built beside the tests.
@Suite struct LoopProgramTests {
  /// What a scenario tells, line by line, and how it ends.
  private func told(
    _ scenario: String, _ arguments: String..., exitCode: Int32 = 0, signal: Int32? = nil
  ) throws -> [String] {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let process = Process()
    process.executableURL = folder.appendingPathComponent("LoopProgram")
    process.arguments = [scenario] + arguments
    // Where the address sanitizer is: children leave what is their parent's, and without descriptors it cannot look.
    process.environment = ProcessInfo.processInfo.environment.merging(
      // What crashes on purpose is not to be explained at length.
      ["ASAN_OPTIONS": "detect_leaks=0", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Foundation.Pipe()
    process.standardOutput = output
    try process.run()
    let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == (signal == nil ? .exit : .uncaughtSignal))
    #expect(process.terminationStatus == signal ?? exitCode)
    return told.split(separator: "\n").map(String.init)
  }

  @Test func `M43: the main thread's loop takes closures of the main actor and runs what others send it`()
    throws
  {
    #expect(
      try told("main-loop") == [
        "a circle through the main loop is refused: true", "main is current", "block on the main actor: 0",
        "observed exit", "first run: finished, 3 beats",
        "block from elsewhere, on the main thread: true", "stopped a run: true", "second run: stopped",
        "kept stop: stopped",
      ])
  }

  @Test func `M14: blocks of the main loop run in nested runs too, in the order of queueing`() throws {
    #expect(
      try told("main-loop-nested") == [
        "outer begins", "block queued in the block, in tracking", "block queued before, in default",
        "outer ends",
      ])
  }

  @Test func `M44: a kept reference to an ended loop holds no descriptor`() throws {
    #expect(try told("ended-loops") == ["100 loops kept, no descriptor held"])
  }

  @Test func `M30: connections, messages and refusals leave no descriptor behind`() throws {
    #expect(try told("peer-leaks") == ["left: 0"])
  }

  @Test func `M45: a signal handler wakes and stops a loop at whatever moment, and leaves errno alone`()
    throws
  {
    #expect(
      try told("signal-handlers") == [
        "stopped: stopped", "woken: stopped", "stopped: stopped", "woken: stopped", "kept: stopped",
        "errno: 77 78 true", "storm: stopped, 100000 done", "after its end: 0",
      ])
  }

  @Test func `M46: a child's loops are fresh, what it inherited is invalid, and the parent does not notice`()
    throws
  {
    let lines = try told("fork-outside-runs")
    let parts = lines.split(separator: "child ended with 0")
    try #require(parts.count == 2, "\(lines)")
    #expect(
      // How far the timer comes until then depends on the machine.
      parts[0].filter { $0 != "parent's timer" } == [
        "parent's block", "parent's source", "parent's port: 1", "fresh: true, main: true, empty: finished",
        "descriptors: 0", "items valid: false", "inherited loop takes a block: false, a stop: false",
        "fresh loop takes an inherited item: false", "inherited loop takes a fresh item: false",
        "port: closed, date: false", "child's pipe", "child's timer", "child ran: finished",
      ])
    // The child left the byte in the pipe.
    #expect(parts[1].contains("parent's pipe"))
    #expect(parts[1].contains("parent's timer"))
    #expect(parts[1].last == "parent ran: stopped")
  }

  @Test func `M46: a run whose callout forked ends in the child and goes on in the parent`() throws {
    #expect(
      try told("fork-in-a-block") == [
        "stop in the child: false", "run ended: finished, parent: false", "child ended with 7",
        "second block, parent: true",
        "timer, parent: true", "exit, parent: true", "run ended: finished, parent: true",
      ])
    #expect(
      try told("fork-in-an-observer")
        == [
          "run ended: finished, parent: false", "child ended with 7", "pipe",
          "run ended: timedOut, parent: true",
        ].filter { $0 != "pipe" })
  }

  @Test func `M46: the thread that forked is the child's main thread, with the child's main loop`() throws {
    #expect(
      try told("fork-elsewhere") == [
        "fresh: true, main: true", "child ran: finished, its block: true", "child ended with 0",
        "parent ran: stopped",
      ])
  }

  @Test func `M46: a lock that another thread held at the fork does not hang the child`() throws {
    #expect(try told("fork-under-locks") == ["children ended with [0]"])
  }

  @Test func `M46, M59: a trace is the parent's alone where a callout forks`() throws {
    let folder = TemporaryFolder()
    let path = folder["trace.json"]
    #expect(
      try told("fork-while-traced", path) == [
        "child may trace: false, its own loop: false", "child lost 0", "child ended with 0",
        "second child ended with 0", "run ended: finished",
      ])
    let read = try ReadTrace(path)
    #expect(read.outline == ["run in default", " pass", "  block", "  block"])
    #expect(read.lostAtEnd == 0)
  }

  @Test func `M47: with no descriptor left adding is an error with advice, and everything else goes on`()
    throws
  {
    let advice =
      "no descriptor left to wait with: Too many open files (errno 24); raise the limit (ulimit -n) or close some"
    #expect(
      try told("no-descriptors") == [
        "default: \(advice)", "common: \(advice)", "default: \(advice)", "block", "timer",
        "run ended: finished",
        "ready: read", "run ended: finished",
      ])
  }

  @Test func `M47: want of descriptors in one mode does not silence a source in another`() throws {
    #expect(try told("no-descriptors-nested") == ["read, error, read"])
  }

  @Test func `M47: a source added from elsewhere is told, and tries again when its interest is set`() throws {
    let advice =
      "no descriptor left to wait with: Too many open files (errno 24); raise the limit (ulimit -n) or close some"
    #expect(
      try told("no-descriptors-elsewhere") == [
        "ready: error, \(advice)", "ready: read, no failure", "run ended: signalled",
      ])
  }

  @Test func `M31: a signal to the process is told to the sources of all loops, with its value`() throws {
    #expect(
      try told("signals-to-all") == [
        "threads in the way: 0", "sent: [0, 0, 0]", "values: [1, 1, 1, 2, 2, 2, 3, 3, 3]",
        "SIGTERM: 3 told, 1 different, by kill: true", "sent by this process: true",
      ])
  }

  @Test func `M31: a signal that was blocked early and came before the source is told`() throws {
    #expect(try told("signals-early") == ["told true", "finished"])
  }

  @Test func `M31: after its source a signal ends the program, as it would have without`() throws {
    #expect(try told("signals-twice", signal: SIGTERM) == ["told"])
  }

  @Test func `M31, M46: a child blocks none of what its parent's sources did, and has sources of its own`()
    throws
  {
    #expect(
      try told("signals-in-child") == [
        "child blocks [1], source valid: false", "child's 15", "child ended with 0", "parent's 15",
      ])
  }

  @Test func `M31: descriptors are closed after the last callout, at the loop's end, or with the source`()
    throws
  {
    #expect(
      try told("owned-descriptors") == [
        "never added: true", "in its callout: true", "after its callout: false", "kept: 3 open, 3 valid",
        "after the loop's end: 0 open, 0 valid", "nothing is left: true",
      ])
  }

  @Test func `M31: without a descriptor left, making one is a typed error with advice, and leaves none open`()
    throws
  {
    let advice =
      "no descriptor left: Too many open files (errno 24); raise the limit (ulimit -n; for file changes also "
      + "fs.inotify.max_user_instances) or close some"
    let names = ["signals with 0", "signals with 1", "signals with 2", "child with 0", "files with 0"]
    #expect(
      try told("no-descriptors-to-own") == names.flatMap { ["\($0): \(advice)", "left as it was: true"] })
  }

  @Test func `M51: the end of a process does not wait for its threads`() throws {
    #expect(try told("thread-at-exit") == ["block begins", "main ends"])
  }

  @Test func `M46, M51: a child has no threads of its parent's`() throws {
    #expect(
      try told("thread-in-child") == [
        "child: gone true, takes a block: false", "child ended with 0", "parent: true, gone true",
      ])
  }

  /// The sanitizer cannot bear the end of a child's first thread.
  @Test(.disabled(if: isUnderThreadSanitizer))
  func `M46, M51: where a thread forked, the child ends with its callout`() throws {
    #expect(
      try told("thread-that-forks") == ["child's block", "child ended with 0", "parent: gone true"])
  }

  // MARK: M57

  @Test
  func
    `M57: after a crash on its own thread the loop goes on in the handler, timers and all, until it is finished`()
    throws
  {
    #expect(
      try told("crash-on-own-thread", signal: SIGSEGV) == [
        "SIGSEGV, fault: true, on the loop's thread: true", "address: 64", "a timer later",
      ])
  }

  @Test func `M57: after a crash on another thread the loop is told on its own, and that thread waits`()
    throws
  {
    #expect(
      try told("crash-elsewhere", signal: SIGSEGV) == ["SIGSEGV, fault: true, on the loop's thread: false"])
  }

  @Test func `M57: a second fault ends the process at once`() throws {
    #expect(try told("crash-twice", signal: SIGSEGV) == ["SIGSEGV, fault: true, on the loop's thread: true"])
  }

  @Test func `M57: the limit ends the process, also in a callout that never returns`() throws {
    #expect(
      try told("crash-without-end", signal: SIGSEGV) == ["SIGSEGV, fault: true, on the loop's thread: true"])
  }

  @Test func `M57: a stack that is used up is rescued on another`() throws {
    #expect(
      try told("crash-stack-overflow", signal: SIGSEGV) == [
        "SIGSEGV, fault: true, on the loop's thread: true"
      ])
  }

  @Test func `M57: abort is a crash, and still ends by its signal`() throws {
    #expect(try told("crash-abort", signal: SIGABRT) == ["SIGABRT, fault: false, on the loop's thread: true"])
  }

  @Test func `M57: a trap of the language's is a crash`() throws {
    let lines = try told("crash-trap", signal: SIGILL)
    #expect(lines == ["SIGILL, fault: true, on the loop's thread: true"])
  }

  @Test func `M57: the loop is run in the modes given and in no other, one after the other`() throws {
    let lines = try told("crash-in-modes", signal: SIGSEGV)
    #expect(lines.first == "in tracking" || lines.first == "in the late mode")
    #expect(lines.dropFirst() == ["in the other mode"])
  }

  @Test func `M57: then the signal goes to who had it before`() throws {
    #expect(
      try told("crash-chained", exitCode: 7) == [
        "SIGSEGV, fault: true, on the loop's thread: true", "the handler from before",
      ])
  }

  @Test func `M57: a process has one rescue, which can be removed`() throws {
    #expect(
      try told("crash-removed", signal: SIGSEGV) == [
        "there is a rescue after a crash already; a process has one", "removed",
      ])
  }

  @Test func `M57: a forked child that crashes ends at once`() throws {
    #expect(
      try told("crash-in-child", signal: SIGSEGV) == [
        "the child ended by signal 11", "SIGSEGV, fault: true, on the loop's thread: true",
      ])
  }

  @Test
  func `M57: a forked child may have a rescue of its own, and ends by its signal as soon as it is finished`()
    throws
  {
    #expect(
      try told("crash-again-in-child") == [
        "SIGSEGV, fault: true, on the loop's thread: true", "the child ended by signal 11",
      ])
  }

  @Test func `M57: a forked child that has removed its rescue is not left with its parent's`() throws {
    #expect(try told("crash-removed-in-child") == ["the child ended by signal 11"])
  }

  @Test func `M57: a signal that is passed round between handlers ends the process at the second time`()
    throws
  {
    #expect(try told("crash-passed-back", signal: SIGSEGV) == [])
  }

  @Test func `M57: a signal that is named twice is handled once`() throws {
    #expect(
      try told("crash-given-twice", signal: SIGSEGV) == ["SIGSEGV, fault: true, on the loop's thread: true"])
  }

  @Test func `M57: a program that returns while a crash is on has its call first, and ends by the signal`()
    throws
  {
    #expect(
      try told("crash-while-main-returns", signal: SIGSEGV) == [
        "returns", "SIGSEGV, fault: true, on the loop's thread: false",
      ])
  }

  @Test func `M57: whoever else wants to know leaves the program half of the time, however many they are`()
    throws
  {
    let lines = try told("crash-heard", signal: SIGSEGV)
    #expect(lines.prefix(3) == ["another knows", "another knows", "another knows"])
    #expect(lines.dropFirst(3) == ["SIGSEGV, fault: true, on the loop's thread: true"])
  }

  @Test
  func `M57: after a crash on its own thread the loop does nothing before its call that may crash again`()
    throws
  {
    #expect(
      try told("crash-in-many-timers", signal: SIGSEGV) == [
        "SIGSEGV, fault: true, on the loop's thread: true"
      ])
  }

  @Test func `M57: a program that exits when it has saved ends by the signal all the same`() throws {
    #expect(
      try told("crash-exit", signal: SIGSEGV) == ["SIGSEGV, fault: true, on the loop's thread: false"])
  }
}

private let isUnderThreadSanitizer = unsafe dlsym(nil, "__tsan_init") != nil
