import LinuxKernel
import Synchronization

/// Where the jobs of one loop and mode come in, from both of its executors.
///
/// The executors, and so whoever holds one, may outlive the loop; the gate knows.
@safe final class JobGate: @unchecked Sendable {
  // Sendable: `line` and `isListed` belong to the loop's thread; the rest is immutable, atomic or behind the lock.
  let mode: RunLoop.Mode
  /// For the loop's thread. SAFETY: the loop is there until it has ended, and then `thread` is no thread's identity.
  private let ownLoop: Unmanaged<RunLoop>
  /// For others.
  private let loop: Locked<PresentLoop>
  /// The identity of the loop's thread; 0 before it has one, the largest number after the loop's end.
  private let thread = Atomic<UInt>(0)
  private static let ended = UInt.max
  /// In a child that was made by fork, the loop is not to be touched.
  private let generation = CallingThread.forks

  /// A loop that has not ended: its thread keeps it, and takes it away here before it lets go. Not a weak reference, which
  /// would make each counting of the loop's references slower.
  @safe private struct PresentLoop {
    var reference: Unmanaged<RunLoop>?
  }

  /// What waits. Only on the loop's thread.
  @safe @exclusivity(unchecked) var line = JobLine()
  /// Whether its mode's scope knows of it.
  @safe @exclusivity(unchecked) var isListed = false

  // SAFETY: who runs a job is the loop, which keeps both executors.
  private(set) var serial: UnownedSerialExecutor?
  private(set) var task: UnownedTaskExecutor?

  init(_ loop: RunLoop, in mode: RunLoop.Mode) {
    self.mode = mode
    unsafe ownLoop = Unmanaged.passUnretained(loop)
    unsafe self.loop = Locked(PresentLoop(reference: Unmanaged.passUnretained(loop)))
  }

  /// Makes the executors known, before anybody else sees the gate.
  func face(_ serial: RunLoop.ActorExecutor, _ task: RunLoop.PreferenceExecutor) {
    unsafe self.serial = serial.asUnownedSerialExecutor()
    unsafe self.task = task.asUnownedTaskExecutor()
  }

  /// Whether the calling thread is the loop's, and the loop has not ended.
  @inline(__always)
  var isOnOwnThread: Bool {
    guard thread.load(ordering: .relaxed) == CallingThread.identity else { return false }
    return unsafe ownLoop._withUnsafeGuaranteedRef { $0.isOnOwnThread }
  }

  /// The loop has a thread, as far as it knows; 0 says that it has none. Any thread.
  func noteThread(_ identity: UInt) {
    // Whatever else happens at the same time, an end is for good.
    if identity != 0 { _ = thread.compareExchange(expected: 0, desired: identity, ordering: .relaxed) }
  }

  /// The loop has ended. On its thread.
  func noteEnd() {
    thread.store(Self.ended, ordering: .relaxed)
    if generation == CallingThread.forks { loop.withLock { unsafe $0.reference = nil } }
  }

  /// The loop, if it has not ended. Any thread.
  private var presentLoop: RunLoop? {
    generation == CallingThread.forks ? loop.withLock { unsafe $0.reference?.takeUnretainedValue() } : nil
  }

  /// Takes a job in, from any thread.
  ///
  /// On the loop's own that is a queue's append, unless something waits that was sent before: then it goes behind that.
  @inline(__always)
  func enqueue(_ job: UnownedJob, _ face: LoopJob.Face) {
    let job = LoopJob(job: job, face: face)
    if isOnOwnThread, queueOnOwnThread(job) { return }
    post(job)
  }

  /// Says no where something waits that was sent before.
  @inline(__always)
  private func queueOnOwnThread(_ job: LoopJob) -> Bool {
    unsafe ownLoop._withUnsafeGuaranteedRef { loop in
      if loop.hasEarlierMail { return false }
      loop.queue(job, at: self)
      return true
    }
  }

  private func post(_ job: LoopJob) {
    guard let loop = presentLoop else { refuse(job) }
    // SAFETY: the loop keeps the gate, and what is in the inbox is the loop's.
    let entry = unsafe InboxEntry(site: .unknown, content: .job(job, Unmanaged.passUnretained(self)))
    if !loop.post(entry, concerning: ModeMask(mode)) { refuse(job) }
  }

  /// Nobody else may run it: that would be another thread than the one that its actor belongs to. Dropped, its task
  /// would never go on, and nobody would learn why.
  private func refuse(_ job: LoopJob) -> Never {
    if generation != CallingThread.forks {
      trap("\(job.job) was sent to the executor of a loop that was inherited by fork, and is the parent's")
    }
    trap(
      "\(job.job) was sent to the executor of a loop that has ended with its thread; "
        + "let tasks and actors that are bound to a thread finish before it")
  }

  /// Runs a job on the executor that it came by.
  @inline(__always)
  func run(_ job: LoopJob) {
    // SAFETY: as above.
    switch job.face {
    case .serial: unsafe job.job.runSynchronously(on: serial.unsafelyUnwrapped)
    case .task: unsafe job.job.runSynchronously(on: task.unsafelyUnwrapped)
    }
  }

  /// Traps, naming the threads, unless the calling thread is the loop's.
  func requireOwnThread() {
    if isOnOwnThread { return }
    guard let loop = presentLoop else {
      trap("the loop has ended with its thread; its actors are nobody's any more")
    }
    loop.requireOwnThread(to: "isolate an actor to")
  }
}
