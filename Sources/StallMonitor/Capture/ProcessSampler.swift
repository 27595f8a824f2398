internal import LinuxKernel
internal import Symbols

/// Takes the stacks of all threads of this process: one stalls, the others may be why.
///
/// The threads are asked at once and awaited together, so that a busy process costs one deadline and not one for each. A
/// thread that has not moved since it was taken earlier is not interrupted again. Used by one thread, that of the sampler.
package final class ProcessSampler {
  /// The stalled thread has at least so long to answer, ns.
  private static let stalledTimeMin: UInt64 = 50_000_000

  private let sampler: StackSampler
  private let waits: WaitReader
  private let leftOut: Set<Int32>
  /// The latest stack of each thread.
  private var earlier: [Int32: StackSample] = [:]
  private var noted: [Int32: ThreadTimes]?

  /// More threads than this are counted only.
  package static let threadCountMax = 128
  /// All of it takes no longer, as far as the watched threads have a say.
  package static let budget = Duration.milliseconds(200)

  /// - Parameter leftOut: the monitor's other threads; the calling one is left out anyway.
  package init(_ sampler: StackSampler, leavingOut leftOut: Set<Int32> = []) {
    self.sampler = sampler
    waits = WaitReader(memory: sampler.memory)
    self.leftOut = leftOut
  }

  /// Takes down what each thread has used of the processors so far. 5 µs a thread.
  package func noteTimes() {
    let threads = ThreadList.current.prefix(Self.threadCountMax)
    noted = Dictionary(
      uniqueKeysWithValues: threads.compactMap { number in ThreadTimes(thread: number).map { (number, $0) } })
  }

  /// Forgets the stacks and times of earlier: the stall is over.
  package func forget() {
    earlier = [:]
    noted = nil
  }

  /// Takes all threads, or as many as can be had in the time.
  ///
  /// - Parameters:
  ///   - stalled: the kernel's number of the thread that comes first.
  ///   - known: an earlier stack of it.
  ///   - concerned: threads that come next, such as those of its chain of waits.
  package func sample(
    stalled: Int32, known: StackSample? = nil, concerned: [Int32] = [], budget: Duration = budget
  ) -> ProcessSample {
    let begun = MonotonicClock.now()
    var round = Round(stalled: stalled, begun: begun, deadline: begun.advanced(by: budget))
    if let known { earlier[stalled] = known }
    let (chosen, omitted) = choose([stalled] + concerned)
    round.omittedCount = omitted
    sampler.refreshModules()
    // Before any other, and even if the time is up already.
    look(at: chosen.prefix(1), until: .max, &round)
    capture(until: max(round.deadline, MonotonicClock.now() + Self.stalledTimeMin), &round)
    look(at: chosen.dropFirst(), until: round.deadline, &round)
    capture(until: round.deadline, &round)
    let sample = round.sample
    earlier = Dictionary(
      uniqueKeysWithValues: sample.threads.compactMap { thread in thread.stack.map { (thread.number, $0) } })
    return sample
  }

  /// The threads that are to be taken, in order, and how many more there are.
  private func choose(_ first: [Int32]) -> (chosen: [Int32], omittedCount: Int) {
    var seen = leftOut.union([ThreadIdentity.kernelNumber])
    let order = (first + ThreadList.current).filter { seen.insert($0).inserted }
    return (Array(order.prefix(Self.threadCountMax)), max(0, order.count - Self.threadCountMax))
  }

  // MARK: looking

  /// Looks at threads, takes those that sleep where they can be taken from outside, and marks the others to be asked.
  private func look(at threads: ArraySlice<Int32>, until deadline: UInt64, _ round: inout Round) {
    for (position, number) in threads.enumerated() {
      guard MonotonicClock.now() < deadline else {
        round.omittedCount += threads.count - position
        return
      }
      // One that sleeps is taken from outside if no signal gets through: there is nothing to wait for.
      guard let look = try? ThreadLook(number, attemptsMax: 1) else { continue }
      var thread = thread(look)
      if let known = earlier[number], known.isUnmoved(look.status, look.systemCall) {
        (thread.stack, thread.isUnmoved) = (known, true)
      } else if look.mayBeTakenQuietly, let stack = sampler.sampleQuietly(look) {
        thread.stack = stack
      } else {
        round.pending.append((round.threads.count, look))
      }
      round.threads.append(thread)
    }
  }

  private func thread(_ look: ThreadLook) -> ProcessSample.Thread {
    let number = look.thread
    let times = ThreadTimes(thread: number, status: look.status)
    let since = noted.map { $0[number]?.cpuNanoseconds ?? 0 }
    return ProcessSample.Thread(
      number: number, name: ThreadIdentity.name(ofThread: number), state: look.status.state, times: times,
      cpuSinceNote: since.flatMap { since in
        times.map { .nanoseconds(Int64(clamping: $0.cpuNanoseconds &- min(since, $0.cpuNanoseconds))) }
      },
      systemCall: look.systemCall, waitChannel: look.waitChannel,
      waitsFor: look.status.isAsleep ? waits.target(of: look.systemCall) : nil)
  }

  // MARK: asking

  /// Asks the threads that are pending, as many at once as there are slots.
  private func capture(until deadline: UInt64, _ round: inout Round) {
    while !round.pending.isEmpty {
      let slots = (0..<min(round.pending.count, CaptureSlot.countMax)).compactMap { _ in try? CaptureSlot() }
      guard !slots.isEmpty else {
        for (index, _) in round.pending { round.threads[index].failure = .busy }
        round.pending = []
        return
      }
      let batch = Array(round.pending.prefix(slots.count))
      round.pending.removeFirst(batch.count)
      let now = MonotonicClock.now()
      let batchesLeft = UInt64(round.pending.count / slots.count + 1)
      capture(batch, slots, until: now + (deadline > now ? (deadline - now) / batchesLeft : 0), &round)
    }
  }

  private func capture(
    _ batch: [(index: Int, look: ThreadLook)], _ slots: [CaptureSlot], until deadline: UInt64,
    _ round: inout Round
  ) {
    var asked: [(index: Int, look: ThreadLook, slot: CaptureSlot)] = []
    for ((index, look), slot) in zip(batch, slots) {
      do throws(CaptureError) {
        try begin(look, in: slot)
        asked.append((index, look, slot))
      } catch {
        round.threads[index].failure = error
        guard look.mustBeTraced, error == .signalsBlocked else { continue }
        round.threads[index].stack = sampler.sampleTraced(look, by: deadline, in: slot)
        if round.threads[index].stack != nil { round.threads[index].failure = nil }
      }
    }
    var copies: [(index: Int, look: ThreadLook, slot: CaptureSlot, copy: CaptureSlot.Copy)] = []
    for (index, look, slot) in asked {
      do throws(CaptureError) {
        copies.append((index, look, slot, try slot.end(by: deadline, grace: Self.grace)))
      } catch {
        round.threads[index].failure = error
      }
    }
    sampler.refreshModules()
    for (index, look, slot, copy) in copies {
      round.threads[index].stack = sampler.finish(look, .signal, copy, slot)
    }
  }

  /// How much longer than the deadline one may take that has begun to copy, ns.
  private static let grace: UInt64 = 5_000_000

  private func begin(_ look: ThreadLook, in slot: CaptureSlot) throws(CaptureError) {
    if let request = sampler.request(look) { return try slot.begin(request) }
    // It may have blocked all signals for a moment only.
    let again = try ThreadLook(look.thread)
    guard let request = sampler.request(again) else { throw .signalsBlocked }
    try slot.begin(request)
  }

  /// What one call has gathered.
  private struct Round {
    let stalled: Int32
    let begun: UInt64
    let deadline: UInt64
    var threads: [ProcessSample.Thread] = []
    /// Threads that have to be asked, by position in `threads`.
    var pending: [(index: Int, look: ThreadLook)] = []
    var omittedCount = 0

    var sample: ProcessSample {
      ProcessSample(
        stalled: stalled, threads: threads, omittedCount: omittedCount, time: begun,
        elapsed: .nanoseconds(Int64(clamping: MonotonicClock.now() - begun)))
    }
  }
}
