import LinuxKernel
import Synchronization

/// A thread's run loop: it waits for what was added to it and calls it, in the order of CFRunLoop's passes.
///
/// There is one loop a thread, made at the first use of ``current``; the main thread's is ``main``. It does nothing
/// until its thread runs it.
///
/// A loop is run and asked only on its own thread; elsewhere that traps, and the message names both threads. Adding,
/// removing, signalling, performing, waking and stopping are allowed from every thread. When its thread ends, a loop
/// ends, too: it takes nothing more and says so.
@safe public final class RunLoop: @unchecked Sendable {
  // Sendable: what other threads touch is atomic (`words`, `bell`, `inbox`, `stops`, `threadWord`,
  // `beacon`, the counts of departures and of callouts outside runs); everything else is touched on the loop's own thread alone, which `requireOwnThread` checks at
  // each way in.

  let words: LoopWords
  package let bell: KernelBell
  let inbox = Inbox()
  let stops: StopWord
  /// How many threads wait for callouts to return.
  let departuresExpected = Atomic<Int>(0)
  /// Callouts that are on without a run: what sources are told as they come and go.
  private let calloutsOutsideRuns = Atomic<Int>(0)
  /// The executors, once one was asked for.
  let executorReference = OnceReference<LoopExecutors>()
  /// Blocks that wait under a key, once there was one.
  let keyedBlocks = OnceReference<KeyedBlocks>()
  /// The identity of the loop's thread; 0 while the main thread has not come by, and after the thread's end.
  private let threadWord: Atomic<UInt>
  package let beacon = Beacon()
  package let poller: any Poller
  /// Whether the poller's clocks are the kernel's: where one is read at every pass, it is asked straight.
  let hasKernelClocks: Bool
  let isMain: Bool
  let hasRunFlag = Atomic<Bool>(false)
  /// Forks that lay between the first process and the one that the loop was made in.
  private let generation = Fork.generation

  /// Who posts reads what is above; what is below changes at every turn.
  private let pad: [16 of UInt64] = .init(repeating: 0)

  // The loop's thread only, from here on. Access is not checked for exclusivity, here and in what the loop holds:
  // one thread touches it, and no access lasts over a callout, nor over the release of something of the user's.

  @safe @exclusivity(unchecked) private var modeTable = ModeTable()
  /// Where the last block was queued.
  @safe @exclusivity(unchecked) var blockTarget: BlockTarget?
  @safe @exclusivity(unchecked) var commonModes = RunLoop.firstCommonModes
  /// How many jobs wait, in all modes.
  @safe @exclusivity(unchecked) var jobCount = 0
  /// How deep the run is nested that serves jobs: the outermost, unless another was asked to.
  @safe @exclusivity(unchecked) var jobDepth = 1
  /// Items in the common modes except in some that they were taken out of: they join modes that become common.
  @safe @exclusivity(unchecked) var exceptedItems: [ObjectIdentifier: Exception] = [:]
  @safe @exclusivity(unchecked) private var sequence: UInt64 = 0
  /// The runs of the stack, the outermost first, and behind them those that were used before and will be again.
  @safe @exclusivity(unchecked) var runs: ContiguousArray<Run> = []
  @safe @exclusivity(unchecked) var runDepth = 0
  /// Mode and nesting of the innermost run as the beacon shows them.
  @safe @exclusivity(unchecked) var shownRun = Beacon.State.outsideRuns
  /// What a host is to the loop, while it has one.
  @safe @exclusivity(unchecked) var hosting: Hosting?
  /// Another library's queue that is served in the pass, if there is one.
  @safe @exclusivity(unchecked) var servedQueue: ServedQueue? { didSet { servedQueueChanged() } }
  /// What each run of the loop has in its manner, whoever asked for it.
  @safe @exclusivity(unchecked) var ownManner: Run.Manner = []
  /// What has to be on the stack round its runs, if anything.
  @safe @exclusivity(unchecked) var enclosure: (any RunEnclosure)? {
    didSet { if enclosure == nil { ownManner.remove(.enclosed) } else { ownManner.insert(.enclosed) } }
  }
  /// How many runs were ever begun: tells a pass that a callout ran the loop.
  @safe @exclusivity(unchecked) var runsBegun: UInt64 = 0
  /// How many passes were.
  @safe @exclusivity(unchecked) var passesBegun: UInt64 = 0
  /// Whether to look for work before a sleep; nil where that is not wanted.
  @safe @exclusivity(unchecked) var spinPolicy: SpinPolicy?
  /// Its thread was told to stop and does what was sent before.
  @safe @exclusivity(unchecked) var isFinishing = false
  @safe @exclusivity(unchecked) var progress: UInt32 = 0
  /// What the pass has found and not served yet; a nested run puts it back.
  @safe @exclusivity(unchecked) var round = Round()
  /// Items that left while a pass was on, which may have found them or be calling them: kept until it is over.
  @safe @exclusivity(unchecked) var departed: [Item] = []
  /// The number that was given last when the list of observers was made which is being called; 0 while none is. Who was
  /// added later is not on it, nor on those of the runs around.
  @safe @exclusivity(unchecked) var listing: UInt64 = 0
  /// The port whose messages are being handed out, for a nested run to go on with.
  @safe @exclusivity(unchecked) var delivering: AnyPort?
  /// An update that another thread sent is being made.
  @safe @exclusivity(unchecked) var isUpdating = false
  /// Whether those who wait for callouts are being answered outside runs.
  @safe @exclusivity(unchecked) private var answering = Answering.off
  @safe @exclusivity(unchecked) var hasEnded = false
  /// The signals that sources keep blocked on this thread.
  @safe @exclusivity(unchecked) var blockedSignals = BlockedSignals()
  /// Told of everything, in tests.
  @safe @exclusivity(unchecked) package var tracer: (any PassTracer)? {
    didSet { if tracer == nil { beacon.remove(.tests) } else { beacon.add(.tests) } }
  }
  /// What writes down what the loop does, while it is traced.
  @safe @exclusivity(unchecked) var recorder: TraceRecorder?

  package init(poller: any Poller, isMain: Bool, onThread thread: UInt) {
    self.poller = poller
    hasKernelClocks = poller is KernelPoller
    self.isMain = isMain
    words = LoopWords()
    bell = KernelBell(words)
    stops = StopWord(words)
    threadWord = Atomic(thread)
    ProcessTables.make()
  }

  deinit {
    if hasEnded { return }
    closeGates()
    // Nobody refers to the loop any more, so nobody is at the bell's door.
    bell.shutDoor()
  }

  /// Whether somebody asked for a pass.
  @inline(__always)
  var isWakeRequested: Bool {
    unsafe words.wakeRequested.pointee.load(ordering: .sequentiallyConsistent) != 0
  }

  /// Takes the asking back, reading as it does: what the waking thread did before is seen from here on.
  func takeWakeRequest() {
    if isWakeRequested {
      _ = unsafe words.wakeRequested.pointee.exchange(0, ordering: .acquiringAndReleasing)
    }
  }

  /// Whether the loop was ever run, in whatever mode. Any thread. What was added to a loop that was not waits for that.
  public var hasRun: Bool { hasRunFlag.load(ordering: .relaxed) }

  /// Whether the loop sleeps. Any thread; may have changed by the time it is read.
  public var isWaiting: Bool {
    !isInherited && Beacon.State(rawValue: beacon.state.load(ordering: .relaxed)).phase == .waiting
  }

  // MARK: threads

  var ownThread: UInt { threadWord.load(ordering: .relaxed) }

  /// Whether the calling thread is the loop's.
  @inline(__always)
  var isOnOwnThread: Bool {
    threadWord.load(ordering: .relaxed) == CallingThread.identity && !isInherited
  }

  /// Whether this process is a child that inherited the loop by `fork`: it has ended here, whatever it does in the
  /// parent.
  @inline(__always)
  var isInherited: Bool { generation != CallingThread.forks }

  /// Whether the loop takes nothing any more. Any thread.
  var isClosed: Bool { isInherited || inbox.isClosed }

  /// Makes the calling thread the loop's.
  package func bindToThisThread() {
    threadWord.store(ThreadIdentity.current, ordering: .relaxed)
    beacon.thread.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
    tellThreadToGates()
  }

  /// Lets `body` act as if it ran on another thread: for tests on virtual time.
  package func actingFromElsewhere<Result>(_ body: () throws -> Result) rethrows -> Result {
    let own = threadWord.exchange(0, ordering: .relaxed)
    defer { threadWord.store(own, ordering: .relaxed) }
    return try body()
  }

  /// Set for a loop of tests, whose one thread acts as several.
  package var isOnVirtualTime = false

  /// Whether tasks that its thread begins are to run on it, and their sleeps to be its timers. On the loop's thread.
  package var keepsTasks = false

  func forgetThread() { threadWord.store(0, ordering: .relaxed) }

  /// Traps, naming both threads, unless the calling thread is the loop's.
  func requireOwnThread(to action: StaticString) {
    if isOnOwnThread { return }
    require(
      !isInherited, "tried to \(action) a loop that was inherited by fork; the child has loops of its own")
    require(!inbox.isClosed, "the loop was told to \(action) and has ended with its thread")
    let caller = ThreadIdentity.kernelNumber
    let own = beacon.thread.load(ordering: .relaxed)
    trap(
      "thread \(caller) \"\(ThreadIdentity.name(ofThread: caller))\" tried to \(action) the loop of thread "
        + "\(own) \"\(ThreadIdentity.name(ofThread: own))\"; a loop runs on its own thread only")
  }

  /// Whether a callout can be on: a run is, or a source is being told that it came or went. Any thread.
  var mayBeInCallout: Bool {
    stops.isRunning || calloutsOutsideRuns.load(ordering: .sequentiallyConsistent) > 0
  }

  func countCalloutOutsideRuns(_ change: Int) {
    calloutsOutsideRuns.wrappingAdd(change, ordering: .sequentiallyConsistent)
    if change < 0 { answerDepartures() }
  }

  /// A run or a callout outside runs has ended: who waits for that, and saw it on, is not left until the next run.
  @inline(__always)
  func answerDepartures() {
    if departuresExpected.load(ordering: .sequentiallyConsistent) > 0, !stops.isRunning {
      answerThemOutsideRuns()
    }
  }

  /// Taking in what was sent may call sources out, whose ends come here again: they are answered by the call that is on,
  /// or a thousand sources that were sent would be a thousand calls deep.
  @inline(never)
  private func answerThemOutsideRuns() {
    switch answering {
    case .on: answering = .toBeDoneAgain
    case .toBeDoneAgain: break
    case .off:
      repeat {
        answering = .on
        acceptWaiting()
      } while answering == .toBeDoneAgain
      answering = .off
    }
  }

  private enum Answering { case off, on, toBeDoneAgain }

  private static let firstCommonModes: Set<Mode> = [.default, .tracking]

  /// The run on top of the stack.
  var innermost: Run? { runDepth == 0 ? nil : runs[runDepth - 1] }

  @inline(__always)
  var isInRun: Bool { runDepth > 0 }

  /// How many runs of the stack wait for the call of an item.
  @safe @exclusivity(unchecked) var awaitingRuns = 0
  @inline(__always)
  var awaitsItems: Bool { awaitingRuns > 0 }

  // MARK: bookkeeping

  @inline(__always)
  func takeSequence() -> UInt64 {
    if hosting != nil { noteChangeForHost() }
    sequence &+= 1
    return sequence
  }

  /// The number that was given last.
  var lastSequence: UInt64 { sequence }

  /// The scope of a mode, made at its first use.
  func scope(of mode: Mode) -> Scope {
    if let scope = existingScope(of: mode) { return scope }
    let scope = Scope(mode: mode, of: self)
    modeTable.put(scope, for: mode)
    if mode == .common {
      for view in views where commonModes.contains(view.mode) { view.common = scope }
    }
    return scope
  }

  /// The monotonic timers of a mode that something is in.
  @inline(__always)
  func timerQueue(of mode: Mode) -> Unmanaged<TimerQueue> { unsafe modeTable.timers(of: mode) }

  @inline(__always)
  func existingScope(of mode: Mode) -> Scope? { unsafe modeTable.scope(of: mode)?.takeUnretainedValue() }

  /// Those of all modes that hold or held anything, or were run in.
  var scopes: [Scope] { modeTable.scopes }
  var views: [ModeView] { modeTable.views }

  /// Calls `body` with each view there is.
  func forEachView(_ body: (ModeView) -> Void) {
    for index in 0..<modeTable.endIndex {
      // SAFETY: the loop keeps every view that it has made.
      if let view = unsafe modeTable.view(at: index) { unsafe view._withUnsafeGuaranteedRef(body) }
    }
  }

  /// What a run in the mode sees, without counting references: the loop keeps it.
  @inline(__always)
  func borrowedView(of mode: Mode) -> Unmanaged<ModeView> {
    if let view = unsafe modeTable.view(of: mode) { return unsafe view }
    return unsafe Unmanaged.passUnretained(view(of: mode))
  }

  /// What a run in the mode sees, made at its first use.
  @inline(never)
  func view(of mode: Mode) -> ModeView {
    if let view = unsafe modeTable.view(of: mode) { return unsafe view.takeUnretainedValue() }
    let isCommon = commonModes.contains(mode)
    let view = ModeView(
      mode: mode, own: scope(of: mode), isCommon: isCommon,
      common: isCommon ? existingScope(of: .common) : nil)
    modeTable.put(view, for: mode)
    return view
  }
}
