import LinuxKernel

/// A thread that runs a loop and nothing else, with something in it or not, until it is stopped.
///
/// ```swift
/// let thread = try RunLoopThread(named: "sums")
/// thread.perform { print("on a thread of its own") }
/// let sum = try thread.performAndWait { (1...100).reduce(0, +) }
/// let clock = RunLoop.Timer(every: .seconds(60)) { _ in print("a minute") }
/// thread.loop.add(clock, to: .default)
/// thread.perform { print("once more, after", sum) }
/// thread.stop()  // everything sent is done, and the thread gone
/// ```
///
/// It runs the default mode. Runs that are stopped otherwise, by `loop.stop()`, begin again.
///
/// Nobody has to call `stop`: once the last reference is dropped, on whatever thread, also its own, the thread does what
/// was sent before and ends; nobody waits for that. Neither does the end of the process.
public final class RunLoopThread: Sendable {
  /// The thread's loop. Ends with the thread; what is sent to it then is refused.
  public let loop: RunLoop
  /// What tools show, cut to 15 bytes.
  public let name: String
  private let core: ThreadCore
  private let thread: JoinableThread

  /// Which signals the thread holds back when it begins.
  public enum Signals: Sendable {
    /// Those that the thread which makes it does, as for any other thread: signals that were blocked early
    /// (`RunLoop.SignalSource.block`) are blocked here, too, and handlers of the program may run on it.
    case asMaker
    /// All of them: no handler of the program runs on it, and no signal interrupts its system calls.
    case blocked
  }

  /// Makes a thread and starts it. Things may be sent to it at once.
  ///
  /// - Parameters:
  ///   - name: what tools show.
  ///   - stackSize: bytes, rounded up to whole pages, at least 64 KiB; nil for the system's (`ulimit -s`). Traps unless
  ///     it is above zero.
  ///   - niceness: how far it gives way to other threads, 0 to 19 as for `nice`; never less than its maker does.
  ///   - prepare: called on the thread before the loop first runs, and before anything that is sent to it.
  /// - Throws: where the kernel gives no thread.
  public init(
    named name: String = "run-loop", stackSize: Int? = nil, niceness: Int = 0, signals: Signals = .asMaker,
    prepare: @escaping @Sendable (RunLoop) -> Void = { _ in }
  ) throws(StartError) {
    require(stackSize ?? 1 > 0, "a stack of \(stackSize ?? 0) bytes")
    require((0...19).contains(niceness), "a niceness of \(niceness); it is one of 0 to 19")
    let core = ThreadCore()
    do throws(KernelError) {
      thread = try JoinableThread(
        named: name, stackBytes: stackSize, signals: signals == .blocked ? .blocked : .asStarter
      ) {
        if niceness > 0 { NativeThread.giveWay(niceness) }
        core.run(prepare)
      }
    } catch {
      throw StartError(errno: error.number)
    }
    self.core = core
    self.name = name
    loop = core.loop
  }

  deinit {
    core.requestStop()
  }

  /// Queues a block and wakes the thread. Any thread.
  ///
  /// - Parameter mode: in which runs of the loop it may run; by default also in nested runs of common modes.
  /// - Returns: false if the thread was told to stop; the block will not run.
  @discardableResult
  public func perform(
    in mode: RunLoop.Mode = .common, file: StaticString = #fileID, line: UInt = #line,
    _ block: @escaping @Sendable () -> Void
  ) -> Bool {
    loop.perform(in: mode, file: file, line: line, block)
  }

  /// Performs a block on the thread and waits for what it returns, as `RunLoop.performAndWait` does; on the thread itself
  /// it runs at once.
  ///
  /// - Parameter limit: how long to wait at most; nil waits as long as it takes.
  /// - Throws: what the block threw, or a `RunLoop.PerformError`: `.loopEnded` if the thread was told to stop before.
  @available(
    *, noasync, message: "waiting blocks the thread that tasks share; use perform and a continuation"
  )
  public func performAndWait<Value: Sendable>(
    in mode: RunLoop.Mode = .common, for limit: Duration? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ block: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    try loop.performAndWait(in: mode, for: limit, file: file, line: line, block)
  }

  /// Ends the thread, and waits until it is gone.
  ///
  /// What was sent to its loop for the default mode or the common ones before is done: blocks, signals of sources,
  /// messages of ports. Blocks that come later are refused and their senders told. All runs on the thread's stack end,
  /// nested ones as soon as what they are calling returns; one that begins after this ends at once. Then the loop ends:
  /// its items leave their modes, with their cancel callbacks, and it takes no new ones.
  ///
  /// Any thread, any number of times and at the same time. Not waited for is what would never come: the thread's own end,
  /// when called on it, and that of a thread which waits, itself or through others, for the loop of the calling one. It
  /// ends when it can.
  ///
  /// - Parameter limit: how long to wait at most, by the kernel's monotonic clock; nil waits as long as it takes.
  /// - Returns: whether the thread is gone.
  @discardableResult
  public func stop(for limit: Duration? = nil) -> Bool {
    // In a forked child there is no such thread.
    if loop.isInherited { return true }
    core.requestStop()
    if thread.isGone { return true }
    guard !core.isCurrent, let wait = WaitingLoops.begin(for: loop) else { return false }
    defer { wait.end() }
    let deadline = limit.map { RunLoop.Instant.now.advanced(by: $0).nanoseconds }
    guard core.waitForEnd(until: deadline) else { return false }
    // Its last instructions, and the ends of what other libraries keep for the thread.
    thread.join()
    return true
  }
}
