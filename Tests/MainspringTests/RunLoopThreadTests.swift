import Glibc
import LinuxKernel
import Mainspring
import Synchronization
import Testing

/// What a kept-alive thread is and does; how it ends: `RunLoopThreadEndTests`.
@Suite struct RunLoopThreadTests {
  private struct Failure: Error, Equatable {}

  @Test func `M51: a thread with nothing in its loop stays, and does what is sent to it in order`() throws {
    let thread = try RunLoopThread(named: "kept alive for it")
    let seen = Record<Int>()
    let number = try thread.performAndWait { ThreadIdentity.kernelNumber }
    #expect(number != ThreadIdentity.kernelNumber)
    #expect(ThreadIdentity.name(ofThread: number) == "kept alive for ", "cut by the kernel")
    for value in 0..<3 { #expect(thread.perform { seen.add(value) }) }
    let loop = thread.loop
    #expect(try thread.performAndWait { RunLoop.current === loop && loop.currentMode == .default })
    #expect(seen.all == [0, 1, 2])
    #expect(throws: Failure()) { try thread.performAndWait { throw Failure() } }
    #expect(try thread.performAndWait { try thread.performAndWait { ThreadIdentity.kernelNumber } } == number)
    #expect(thread.stop())
  }

  @Test func `M51: it holds items as any loop does, and what else stops its loop does not end it`() throws {
    let thread = try RunLoopThread()
    let (performed, exits) = (Record<String>(), Gate())
    let source = RunLoop.Source { _ in performed.add("source") }
    thread.loop.add(source, to: .default)
    thread.loop.add(RunLoop.Observer(.exit, repeats: false) { _, _ in exits.open() }, to: .default)
    for scope in [RunLoop.StopScope.innermost, .all] {
      try thread.performAndWait { _ = RunLoop.current.stop(scope) }
    }
    exits.pass()
    // A thread that is ending may take the first of them, and none after it.
    for _ in 0..<2 { try thread.performAndWait {} }
    source.signal()
    thread.loop.wakeUp()
    thread.stop()
    #expect(performed.all == ["source"])
  }

  @Test func `M51: it is prepared before anything that is sent to it`() throws {
    let (seen, mayBegin) = (Record<String>(), Gate())
    let thread = try RunLoopThread { loop in
      mayBegin.pass()
      #expect(loop === RunLoop.current)
      seen.add("prepared")
    }
    thread.perform { seen.add("block") }
    mayBegin.open()
    thread.stop()
    #expect(seen.all == ["prepared", "block"])
  }

  @Test func `M51: it holds back the signals that its maker does, or all`() {
    onOwnThread { _ in
      SignalMask.unblock(SignalMask.current)
      SignalMask.block(SignalSet([SIGUSR1]))
      let masks = try [RunLoopThread.Signals.asMaker, .blocked].map { signals in
        let thread = try RunLoopThread(signals: signals)
        defer { thread.stop() }
        return try thread.performAndWait { SignalMask.current }
      }
      #expect(masks[0].numbers == [SIGUSR1])
      #expect(masks[1].contains(SIGTERM) && masks[1].contains(40) && !masks[1].contains(SIGKILL))
    }
  }

  @Test func `M51: it gives way as far as it is told to, and never less than its maker`() throws {
    let niceness = { @Sendable in getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
    let thread = try RunLoopThread(niceness: 7)
    #expect(try thread.performAndWait { niceness() } == 7)
    try thread.performAndWait {
      let inner = try RunLoopThread(niceness: 3)
      defer { inner.stop() }
      #expect(try inner.performAndWait { niceness() } == 7)
    }
    thread.stop()
  }

  @Test func `M51: a stack is as large as asked for, and never too small to begin with`() throws {
    for size in [1, 300_000, 32 << 20] {
      let thread = try RunLoopThread(stackSize: size)
      defer { thread.stop() }
      let used = try thread.performAndWait { size > 1 << 20 ? Self.useStack(kilobytes: 12 << 10) : 1 }
      #expect(used > 0)
    }
  }

  /// Goes so deep that the frames take at least so much; says how deep.
  @inline(never)
  private static func useStack(kilobytes: Int) -> Int {
    if kilobytes == 0 { return 0 }
    // As much as is taken from the stack and not from elsewhere.
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { bytes in
      unsafe bytes[kilobytes & 1023] = 1
      return unsafe useStack(kilobytes: kilobytes - 1) + Int(bytes[kilobytes & 1023])
    }
  }

  @Test func `M51: where the kernel gives no thread there is a typed error with advice`() {
    do throws(RunLoopThread.StartError) {
      _ = try RunLoopThread(stackSize: 1 << 46)
      Issue.record("a stack of 64 TiB")
    } catch {
      #expect(error.errno == EAGAIN)
      #expect("\(error)".contains("ulimit -u"))
    }
  }

  @Test func `M51: what can be no thread traps`() async {
    await #expect(processExitsWith: .failure) { _ = try RunLoopThread(stackSize: 0) }
    await #expect(processExitsWith: .failure) { _ = try RunLoopThread(niceness: 20) }
    await #expect(processExitsWith: .failure) { _ = try RunLoopThread(niceness: -1) }
  }
}
