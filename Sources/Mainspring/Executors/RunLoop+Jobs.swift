import LinuxKernel
import Synchronization

extension RunLoop {
  /// Puts a job behind the others of its mode. On the loop's thread.
  @inline(__always)
  func queue(_ job: LoopJob, at gate: JobGate) {
    if !gate.isListed { list(gate) }
    gate.line.append(job, sequence: takeSequence())
    jobCount &+= 1
  }

  @inline(never)
  private func list(_ gate: JobGate) {
    gate.isListed = true
    // SAFETY: the loop keeps its gates.
    unsafe scope(of: gate.mode).borrowedJobs = Unmanaged.passUnretained(gate)
  }

  /// Whether jobs wait that the innermost run is to serve.
  @inline(__always)
  func hasJobs(_ view: ModeView) -> Bool { jobCount != 0 && hasServedJobs(view) }

  @inline(never)
  private func hasServedJobs(_ view: ModeView) -> Bool {
    runDepth == jobDepth && JobGates(view).firstSequence != .max
  }

  /// Whether nothing that the innermost run sees could ever call anybody.
  @inline(__always)
  func isEmpty(_ view: ModeView) -> Bool { view.isEmpty && !hasJobs(view) }

  /// One drain of blocks and jobs together, in the order in which they were queued: those that were when it began, at
  /// most for a turn.
  @inline(never)
  func drainWithJobs(of view: ModeView) {
    guard hasJobs(view) else {
      if view.hasBlocks { drainQueued(of: view) }
      return
    }
    let last = lastSequence
    var turn = Turn(of: Limit.blocksPerDrain)
    // Whatever comes, and wherever, stands behind the last.
    let gates = JobGates(view)
    let hasBlocks = view.hasBlocks
    while !isInherited, !turn.isOver(on: self, view) {
      let block = hasBlocks ? view.firstBlockSequence : .max
      let job = gates.firstSequence
      guard min(block, job) <= last else { return }
      if block < job {
        if let block = view.takeBlock(upTo: last) { run(block) }
      } else {
        // SAFETY: the loop keeps its gates.
        unsafe gates.first._withUnsafeGuaranteedRef { run(takeJob(at: $0), of: $0) }
      }
    }
  }

  private func takeJob(at gate: JobGate) -> LoopJob {
    jobCount &-= 1
    return gate.line.removeFirst()
  }

  @inline(__always)
  private func run(_ job: LoopJob, of gate: JobGate) {
    beginCallout(.job, .unknown)
    gate.run(job)
    endCallout(.job)
  }

  // MARK: the end

  /// Runs what waits in whatever mode, and what that sends to the loop itself, until nothing is left: the last that a
  /// loop does. On its thread, outside runs.
  func finishJobs() {
    acceptWaiting()
    guard jobCount > 0 else { return }
    let depthBefore = jobDepth
    // No run serves them meanwhile.
    jobDepth = 0
    defer { jobDepth = depthBefore }
    var rounds = 0
    while jobCount > 0, !isInherited {
      require(
        rounds < Limit.roundsOfJobsAtEnd, "the loop's thread ends, and tasks go on queueing jobs for it")
      rounds += 1
      let last = lastSequence
      for scope in scopes {
        guard let gate = unsafe scope.borrowedJobs?.takeUnretainedValue() else { continue }
        while gate.line.firstSequence <= last, !isInherited {
          let job = takeJob(at: gate)
          callOut(.job, .unknown) { gate.run(job) }
        }
      }
      acceptWaiting()
    }
  }

  /// Jobs that come from here on are refused, and their senders trap. Who makes a gate only now finds no thread.
  func closeGates() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    executorReference.object?.forEachGate { $0.noteEnd() }
  }
}

extension Scope {
  /// How many jobs wait.
  var jobCount: Int {
    // SAFETY: the loop keeps the gate.
    unsafe borrowedJobs?._withUnsafeGuaranteedRef { $0.line.count } ?? 0
  }
}

/// Where the jobs stand that a run in a mode sees.
@safe private struct JobGates {
  // SAFETY: the loop keeps its gates.
  private let own: Unmanaged<JobGate>?
  private let common: Unmanaged<JobGate>?

  init(_ view: ModeView) {
    unsafe own = view.own.borrowedJobs
    unsafe common = view.common?.borrowedJobs
  }

  private static func firstSequence(at gate: Unmanaged<JobGate>?) -> UInt64 {
    unsafe gate?._withUnsafeGuaranteedRef { $0.line.firstSequence } ?? .max
  }

  /// The number of the job that was queued first, or the largest number if there is none.
  var firstSequence: UInt64 { unsafe min(Self.firstSequence(at: own), Self.firstSequence(at: common)) }

  /// Where that job stands. There has to be one.
  var first: Unmanaged<JobGate> {
    unsafe Self.firstSequence(at: own) < Self.firstSequence(at: common) ? own! : common!
  }
}
