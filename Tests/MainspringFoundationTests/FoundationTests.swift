import Testing

/// Foundation and the loop, in programs of their own, built beside the tests.
@Suite struct FoundationTests {
  // MARK: Foundation as the guest

  @Test func `timers of Foundation's fire where the loop hosts it, also those that another thread adds`()
    throws
  {
    #expect(try told("timers") == ["timer", "ended: stopped, 3 beats"])
  }

  @Test func `what is queued on the thread itself and wakes nobody is done before the loop sleeps`() throws {
    #expect(
      try told("queued").sorted() == [
        "ended: stopped", "performed", "performed from a timer of the loop's", "posted: asap", "posted: idle",
      ])
  }

  @Test func `files are read in the background, and tell of what there is to read`() throws {
    #expect(
      try told("files") == ["readable: at once", "read in the background: later", "ended: stopped"])
  }

  @Test func `no wake-up from another thread is lost`() throws {
    #expect(try told("wakes") == ["ended: stopped, performed 2000"])
  }

  @Test func `a source that signals itself for longer than a turn is performed to the end`() throws {
    #expect(try told("sources") == ["ended: stopped, performed 200"])
  }

  @Test func `modes stand for modes, and Foundation's common modes are all that are hosted`() throws {
    #expect(
      try told("modes") == [
        "timer in common", "tracking: stopped", "timer in default", "default: stopped",
      ])
  }

  @Test func `while nothing happens Foundation's loop makes no pass`() throws {
    #expect(try told("idle") == ["few passes: true"])
  }

  @Test func `another thread's loop hosts another Foundation's loop`() throws {
    #expect(try told("thread") == ["timer (elsewhere)", "performed (elsewhere)", "ended: true"])
  }

  @Test func `ended, the guest keeps nothing alive and can come again, and Foundation's loop runs by itself`()
    throws
  {
    #expect(
      try told("ended") == ["empty: finished", "performed", "ended: finished", "run by itself"])
  }

  @Test func `URLSession completes, calls on the main queue and is awaited`() throws {
    let lines = try told("session")
    #expect(lines.prefix(2).sorted() == ["completed on the main queue: hello", "completed: hello"])
    #expect(lines.dropFirst(2) == ["awaited: hello, 200", "ended: stopped"])
  }

  @Test func `a child is waited for within a callout, and its end is told`() throws {
    #expect(try told("process") == ["waited for in a callout: 7", "told: 7", "ended: stopped"])
  }

  // MARK: Foundation as the host

  @Test func `M61: CFRunLoop hosts the loop: timers, descriptors to the last byte, blocks from elsewhere`()
    throws
  {
    let lines = try told("hosted")
    #expect(lines.prefix(3).sorted() == ["200 bytes", "5 beats", "block"])
    #expect(lines.dropFirst(3) == ["hosted: false"])
  }

  @Test func `M61: any thread's CFRunLoop hosts in any of its modes`() throws {
    #expect(
      try told("hosted-thread") == [
        "block in tracking (elsewhere)", "timer (elsewhere)", "empty: true (elsewhere)",
      ])
  }

  @Test func `M61: a callout may run CFRunLoop, which hosts, and the loop by itself`() throws {
    #expect(
      try told("hosted-nested") == [
        "outer begins", "in a run of Foundation's", "in a run of ours", "nested: stopped", "ended",
      ])
  }

  @Test func `neither hosts the other while it is hosted by it, and nobody twice`() throws {
    #expect(try trap("host-and-guest").contains("the loop hosts CFRunLoop, which cannot host it meanwhile"))
    #expect(try trap("guest-twice").contains("the loop hosts CFRunLoop already"))
  }

  @Test func `M58: XCTest's asynchronous tests pass where the main actor runs on the main loop`() throws {
    let run = ProgramRun("XCTestProgram", [])
    let written = try run.run()
    #expect(run.hasExited)
    #expect((written.output + written.errors).contains("Executed 5 tests, with 0 failures"))
  }
}

/// What a scenario tells, line by line.
private func told(_ scenario: String) throws -> [String] {
  let run = ProgramRun("FoundationProgram", [scenario])
  let output = try run.run().output
  #expect(run.hasExited)
  return output.split(separator: "\n").map(String.init)
}

/// What a scenario says as it traps.
private func trap(_ scenario: String) throws -> String {
  let run = ProgramRun("FoundationProgram", [scenario])
  let errors = try run.run().errors
  #expect(!run.hasExited)
  return errors
}
