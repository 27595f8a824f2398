import Mainspring
import MainspringTesting
import Testing

@Suite struct EventQueueTests {
  /// A loop, descriptor 7 on which events wait, and what was delivered.
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let waiting = Record<Int>()
    let read = Record<Int>()
    let delivered = Record<Int>()
    let ends = Record<RunLoop.Readiness>()

    var loop: RunLoop { virtual.loop }

    /// - Parameter merges: whether events of the same ten are one.
    func queue(
      merges: Bool = false, then action: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> RunLoop.EventQueue<Int> {
      let queue = RunLoop.EventQueue<Int>(7) { [unowned self] in
        guard read.count < waiting.count else {
          virtual.setReadiness(ends.isEmpty && isHungUp.value == true ? [.read, .hangUp] : [], of: 7)
          return nil
        }
        read.add(waiting.all[read.count])
        return read.all.last
      } merging: {
        merges && $0 / 10 == $1 / 10 ? $1 : nil
      } onEnd: { [unowned self] queue, readiness in
        #expect(queue.isValid)
        #expect(delivered.count == waiting.count)
        ends.add(readiness)
      } deliver: { [unowned self] event in
        delivered.add(event)
        action(event)
      }
      loop.add(queue, to: .common)
      return queue
    }

    let isHungUp = Box(false)

    func come(_ events: Int...) {
      for event in events { waiting.add(event) }
      virtual.setReadiness(.read, of: 7)
    }

    func pass() { loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait) }
  }

  @Test func `M64: what waits outside is read at once, and delivered by a source in the pass that follows`() {
    let stage = Stage()
    let queue = stage.queue()
    stage.virtual.trace.clear()
    stage.virtual.at(.zero) { stage.come(1, 2, 3) }
    stage.pass()
    #expect(stage.delivered.all == [1, 2, 3])
    #expect(
      stage.virtual.trace.phases == [
        "entry",
        "beforeTimers", "beforeSources", "beforeWaiting", "waiting", "afterWaiting", "descriptor",
        "beforeTimers", "beforeSources", "source",
        "beforeTimers", "beforeSources", "beforeWaiting", "waiting", "afterWaiting",
        "exit",
      ])
    queue.invalidate()
  }

  @Test func `M64: events that can be one are merged, in their order, and others are left alone`() {
    let stage = Stage()
    let queue = stage.queue(merges: true)
    stage.come(11, 12, 13, 20, 14, 15)
    stage.pass()
    #expect(stage.delivered.all == [13, 20, 15])
    queue.invalidate()
  }

  @Test func `M64: what is posted from elsewhere comes behind, wakes the loop, and merges as well`() {
    let stage = Stage()
    let queue = stage.queue(merges: true)
    stage.virtual.at(.milliseconds(5)) {
      queue.post(1)
      queue.post(12)
      queue.post(13)
    }
    #expect(stage.loop.run(untilHandled: queue, in: .default, for: .seconds(1)).reason == .signalled)
    #expect(stage.delivered.all == [1, 13])
    queue.invalidate()
    #expect(!queue.post(1))
  }

  @Test func `M64: what a handler posts has its turn in the next pass`() {
    let stage = Stage()
    let queue = Box<RunLoop.EventQueue<Int>>()
    queue.value = stage.queue { if $0 < 3 { queue.value?.post($0 + 1) } }
    queue.value?.post(1)
    stage.loop.turn()
    #expect(stage.delivered.all == [1])
    stage.loop.turn()
    #expect(stage.delivered.all == [1, 2])
    queue.value?.invalidate()
  }

  @Test func `M64: a nested run in a handler delivers what waits, and nothing twice`() {
    let stage = Stage()
    let queue = Box<RunLoop.EventQueue<Int>>()
    queue.value = stage.queue { event in
      guard event == 1 else { return }
      // Somebody has to ask: the mark of the source was taken back before its callout.
      queue.value?.readWaiting()
      queue.value?.post(4)
      RunLoop.current.run(in: .tracking, for: .milliseconds(1))
    }
    stage.come(1, 2, 3)
    stage.pass()
    #expect(stage.delivered.all == [1, 2, 3, 4])
    queue.value?.invalidate()
  }

  @Test func `M64: the other side's end is told once, after its last event`() {
    let stage = Stage()
    let queue = stage.queue()
    stage.come(1, 2)
    stage.isHungUp.value = true
    stage.virtual.setReadiness([.read, .hangUp], of: 7)
    stage.pass()
    #expect(stage.delivered.all == [1, 2])
    #expect(stage.ends.all == [[.read, .hangUp]])
    stage.pass()
    #expect(stage.ends.count == 1)
    // What is posted still comes.
    queue.post(3)
    stage.pass()
    #expect(stage.delivered.all == [1, 2, 3])
    queue.invalidate()
  }

  @Test func `M64: a flood is read in portions, and other work has its turn in between`() {
    let stage = Stage()
    let left = Box(Limit.eventsPerReading * 2 + 1)
    let queue = RunLoop.EventQueue<Int>(7) {
      guard let count = left.value, count > 0 else { return nil }
      left.value = count - 1
      return count
    } deliver: { [unowned stage] in
      stage.delivered.add($0)
    }
    stage.loop.add(queue, to: .default)
    // Taken into memory: the descriptor tells of the first portion alone.
    queue.readWaiting()
    stage.loop.turn()
    #expect(stage.delivered.count == Limit.eventsPerReading * 2)
    let others = Record<Int>()
    stage.loop.perform(in: .default) { [unowned stage] in others.add(stage.delivered.count) }
    stage.pass()
    #expect(stage.delivered.count == Limit.eventsPerReading * 2 + 1)
    #expect(others.all == [Limit.eventsPerReading * 2])
    queue.invalidate()
  }

  @Test func `M26, M64: a queue that is invalidated by a handler delivers nothing more`() {
    let stage = Stage()
    let queue = Box<RunLoop.EventQueue<Int>>()
    queue.value = stage.queue { if $0 == 2 { queue.value?.invalidate() } }
    stage.come(1, 2, 3)
    stage.pass()
    #expect(stage.delivered.all == [1, 2])
    // Nothing is left in any mode.
    #expect(stage.loop.run().reason == .finished)
  }

  @Test func `M38, M64: what the handlers of a queue hold is freed when it is invalid`() {
    let virtual = VirtualRunLoop()
    let flag = ReleaseFlag()
    let queue = {
      let token = ReleaseToken(flag)
      return RunLoop.EventQueue<Int>(7) {
        token.touch()
        return nil
      } deliver: { _ in
        token.touch()
      }
    }()
    virtual.loop.add(queue, to: .default)
    #expect(!flag.isRaised)
    queue.invalidate()
    #expect(flag.isRaised)
  }
}
