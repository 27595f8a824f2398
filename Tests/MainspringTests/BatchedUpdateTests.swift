@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct BatchedUpdateTests {
  /// A loop with a batch of numbers in the default mode, and what was done.
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    let batch: RunLoop.Batch<Int>

    init(
      in mode: RunLoop.Mode = .default,
      _ update: @escaping @Sendable (RunLoop.Batch<Int>, Int) -> Void = { _, _ in }
    ) {
      let done = done
      batch = RunLoop.Batch { batch, mark in
        done.add(mark)
        update(batch, mark)
      }
      virtual.loop.add(batch, to: mode)
    }

    var loop: RunLoop { virtual.loop }
  }

  @Test func `M53: what is marked often is done once, in the order of first marks, before the sleep`() {
    let stage = Stage()
    let batch = stage.batch
    stage.loop.perform(in: .default) {
      for mark in [3, 1, 3, 2, 1] { batch.mark(mark) }
      #expect(stage.done.isEmpty)
    }
    stage.loop.run(in: .default)
    #expect(stage.done.all == [3, 1, 2])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M53: marks of different callouts of a pass are done together`() {
    let stage = Stage()
    let batch = stage.batch
    for mark in 1...3 { stage.loop.perform(in: .default) { batch.mark(mark) } }
    stage.loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.done.all == [1, 2, 3])
    let phases = stage.virtual.trace.phases
    #expect(phases.firstIndex(of: "waiting")! > phases.lastIndex(of: "block")!)
  }

  @Test func `M53: what an update marks is done in the same batch, itself included`() {
    let stage = Stage { batch, mark in
      if mark < 5 { batch.mark(mark + 1) } else if mark == 5 { batch.mark(7) }
    }
    stage.batch.mark(1)
    let waits = Record<Int>()
    stage.loop.add(RunLoop.Observer(.afterWaiting) { _, _ in waits.add(stage.done.count) }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.done.all == [1, 2, 3, 4, 5, 7])
    #expect(waits.all == [6])
  }

  @Test
  func `M53: an update that marks itself for ever leaves the loop its turn, and is done again before sleep`()
  {
    let stage = Stage { batch, mark in batch.mark(mark) }
    stage.batch.mark(1)
    let rounds = Record<Int>()
    let virtual = stage.virtual
    virtual.loop.add(
      RunLoop.Observer(.afterWaiting) { _, _ in
        rounds.add(stage.done.count)
        if rounds.count == 3 { virtual.loop.stop() }
      }, to: .default)
    #expect(stage.loop.run(in: .default).reason == .stopped)
    #expect(rounds.all == [1, 2, 3].map { $0 * Limit.roundsPerBatch })
    #expect(virtual.sleepCount == 0)
  }

  @Test func `M53: more marks than a batch may do are left for the next pass, which follows at once`() {
    let stage = Stage()
    let count = Limit.updatesPerBatch + 10
    for mark in 0..<count { stage.batch.mark(mark) }
    let turns = Record<Int>()
    stage.loop.add(RunLoop.Observer(.afterWaiting) { _, _ in turns.add(stage.done.count) }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.done.all == Array(0..<count))
    #expect(turns.all == [Limit.updatesPerBatch, count])
    #expect(stage.virtual.sleepCount == 0)
  }

  @Test func `M53: a mark from another thread wakes a loop that sleeps in the batch's mode`() {
    let stage = Stage()
    let virtual = stage.virtual
    let wake = Record<RunLoop.Instant>()
    virtual.loop.add(RunLoop.Observer(.afterWaiting) { _, _ in wake.add(virtual.now) }, to: .default)
    let begin = virtual.now
    virtual.at(.milliseconds(3)) {
      virtual.loop.actingFromElsewhere { for _ in 1...3 { _ = stage.batch.mark(1) } }
    }
    stage.loop.run(in: .default, for: .milliseconds(10), whenEmpty: .wait)
    #expect(stage.done.all == [1])
    #expect(wake.all.first == begin.advanced(by: .milliseconds(3)))
  }

  @Test func `M53: each mark from another thread wakes the loop, also after the first`() {
    let stage = Stage()
    let virtual = stage.virtual
    let begin = virtual.now
    let wakes = Record<Duration>()
    virtual.loop.add(
      RunLoop.Observer(.afterWaiting) { _, _ in wakes.add(begin.duration(to: virtual.now)) }, to: .default)
    for mark in 1...3 {
      virtual.at(.milliseconds(mark)) {
        virtual.loop.actingFromElsewhere { _ = stage.batch.mark(mark) }
      }
    }
    stage.loop.run(in: .default, for: .milliseconds(10), whenEmpty: .wait)
    #expect(stage.done.all == [1, 2, 3])
    #expect(Set(wakes.all).isSuperset(of: [1, 2, 3].map { .milliseconds($0) }))
  }

  @Test(arguments: [RunLoop.Mode.default, .common])
  func `M53: a mark that a later observer of beforeWaiting makes is not slept over`(mode: RunLoop.Mode) {
    let stage = Stage(in: mode)
    let batch = stage.batch
    let first = Box(true)
    stage.loop.add(
      RunLoop.Observer(.beforeWaiting, order: .max) { _, _ in
        if first.value == true { batch.mark(1) }
        first.value = false
      }, to: .default)
    stage.loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait)
    #expect(stage.done.all == [1])
    #expect(stage.virtual.sleepCount == 1)
  }

  @Test func `M8, M53: marks keep a mode from being empty, and a batch without marks does not`() {
    let stage = Stage()
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.virtual.passCount == 0)
    stage.batch.mark(1)
    #expect(!stage.loop.contents(of: .default).isEmpty)
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.done.all == [1])
    #expect(stage.loop.contents(of: .default).isEmpty)
  }

  @Test func `M53: an update that is unmarked is not done, and one marked anew goes to the end`() {
    let stage = Stage()
    for mark in 1...4 { stage.batch.mark(mark) }
    #expect(stage.batch.unmark(2))
    #expect(!stage.batch.unmark(2))
    #expect(stage.batch.unmark(1))
    stage.batch.mark(1)
    stage.loop.run(in: .default)
    #expect(stage.done.all == [3, 4, 1])
  }

  @Test func `M53: an update may unmark others and invalidate the batch`() {
    let stage = Stage { batch, mark in
      if mark == 1 { batch.unmark(2) }
      if mark == 3 { batch.invalidate() }
    }
    for mark in 1...5 { stage.batch.mark(mark) }
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.done.all == [1, 3])
    #expect(!stage.batch.mark(9))
  }

  @Test func `M53: a run nested in an update neither does the batch nor goes on because of it`() {
    let results = Record<RunLoop.RunResult.Reason>()
    let virtual = Box<VirtualRunLoop>()
    let stage = Stage { _, mark in
      if mark == 1 { results.add(virtual.value!.loop.run(in: .default).reason) }
    }
    virtual.value = stage.virtual
    stage.batch.mark(1)
    stage.batch.mark(2)
    stage.loop.run(in: .default)
    #expect(results.all == [.finished])
    #expect(stage.done.all == [1, 2])
    virtual.value = nil
  }

  @Test func `M53: what was marked before the batch had a loop is done without another mark`() {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    let batch = RunLoop.Batch<Int> { _, mark in done.add(mark) }
    batch.mark(1)
    virtual.loop.add(batch, to: .default)
    virtual.loop.run(in: .default)
    #expect(done.all == [1])
  }

  @Test func `M53: what was marked before the batch came into a mode is done there`() {
    let virtual = VirtualRunLoop()
    let done = Record<Int>()
    let batch = RunLoop.Batch<Int> { _, mark in done.add(mark) }
    batch.mark(1)
    virtual.loop.add(batch, to: .common)
    batch.mark(2)
    virtual.loop.run(in: "elsewhere")
    #expect(done.isEmpty)
    virtual.loop.run(in: .tracking)
    #expect(done.all == [1, 2])
    virtual.loop.remove(batch, from: .common)
    batch.mark(3)
    #expect(virtual.loop.run(in: .default).reason == .finished)
    virtual.loop.add(batch, to: .default)
    virtual.loop.run(in: .default)
    #expect(done.all == [1, 2, 3])
  }

  @Test func `M53: flush does what is marked at once`() {
    let stage = Stage()
    stage.batch.mark(1)
    stage.batch.flush()
    #expect(stage.done.all == [1])
    #expect(stage.loop.run(in: .default).reason == .finished)
    #expect(stage.virtual.passCount == 0)
  }

  @Test func `M2, M53: a source that signals itself cannot starve a batch`() {
    let stage = Stage()
    let virtual = stage.virtual
    let source = RunLoop.Source { source in
      if stage.done.isEmpty { source.signal() } else { virtual.loop.stop() }
    }
    stage.loop.add(source, to: .default)
    source.signal()
    stage.batch.mark(1)
    stage.loop.run(in: .default)
    #expect(stage.done.all == [1])
  }

  @Test func `M38, M53: what the update holds is freed with the last callout of an invalid batch`() {
    let virtual = VirtualRunLoop()
    let flag = ReleaseFlag()
    let batch: RunLoop.Batch<Int>
    do {
      let token = ReleaseToken(flag)
      batch = RunLoop.Batch<Int> { batch, _ in
        batch.invalidate()
        #expect(!flag.isRaised)
        token.touch()
      }
    }
    virtual.loop.add(batch, to: .default)
    batch.mark(1)
    virtual.loop.run(in: .default)
    #expect(flag.isRaised)
  }

  @Test func `M42: batches come after observers of the number zero, and where their own number says`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let usual = RunLoop.Batch<Int> { _, _ in seen.add("batch") }
    let early = RunLoop.Batch<Int>(order: -1) { _, _ in seen.add("early") }
    for batch in [usual, early] {
      loop.add(batch, to: .default)
      batch.mark(1)
    }
    loop.add(RunLoop.Observer(.beforeWaiting) { _, _ in seen.add("observer") }, to: .default)
    loop.add(
      RunLoop.Observer(.beforeWaiting, order: RunLoop.OrderNumber.batches + 1) { _, _ in seen.add("behind") },
      to: .default)
    loop.run(in: .default)
    #expect(seen.all == ["early", "observer", "batch", "behind"])
  }
}
