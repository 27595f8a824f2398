import Synchronization

/// Counts how long stretches of work took: one for whole passes, and one a phase where that is asked for.
///
/// One writer, the loop's thread; any number of readers. A word is read whole, several may be from neighbouring moments.
package final class LagCounters: Sendable {
  /// One sort of stretch.
  struct Series: ~Copyable {
    /// `LagHistogram.bucketCount` of them.
    let buckets: [24 of Atomic<UInt64>] = .init { _ in Atomic(0) }
    let total = Atomic<UInt64>(0)
    let longest = Atomic<UInt64>(0)

    @inline(__always)
    func note(_ nanoseconds: UInt64) {
      raise(buckets[RunLoop.LagHistogram.bucket(of: nanoseconds)], by: 1)
      raise(total, by: nanoseconds)
      if nanoseconds > longest.load(ordering: .relaxed) { longest.store(nanoseconds, ordering: .relaxed) }
    }

    /// There is one writer: no need for a locked instruction.
    @inline(__always)
    private func raise(_ word: borrowing Atomic<UInt64>, by count: UInt64) {
      word.store(word.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }

    var histogram: RunLoop.LagHistogram {
      RunLoop.LagHistogram(
        counts: buckets.indices.map { buckets[$0].load(ordering: .relaxed) },
        total: total.load(ordering: .relaxed), longest: longest.load(ordering: .relaxed))
    }
  }

  private let passes = Series()
  /// In the order of `LagPhase.index`.
  private let phases: [8 of Series] = .init { _ in Series() }
  /// When the phase that is shown began, ns; 0 before the first.
  private let phaseSince = Atomic<UInt64>(0)

  package init() {}

  /// How long passes took.
  package var histogram: RunLoop.LagHistogram { passes.histogram }

  /// Notes a pass of so many nanoseconds.
  @inline(__always)
  package func note(_ nanoseconds: UInt64) { passes.note(nanoseconds) }

  /// How many passes each bucket has.
  package var counts: [UInt64] { histogram.counts }

  func histogram(of phase: RunLoop.LagPhase) -> RunLoop.LagHistogram { phases[phase.index].histogram }

  /// Notes that another phase is about to be shown. On the loop's thread.
  func notePhaseEnd(_ phase: Phase, at now: UInt64) {
    let began = phaseSince.load(ordering: .relaxed)
    phaseSince.store(now, ordering: .relaxed)
    guard began != 0, let kind = RunLoop.LagPhase(phase) else { return }
    phases[kind.index].note(now &- min(began, now))
  }
}
