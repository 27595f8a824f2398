import Testing

@testable import StallMonitor

@Suite struct WaitChainTests {
  /// Chains over a table of who waits for whom.
  private func chain(from thread: Int32, _ owners: [Int32: Int32?]) -> WaitChain {
    WaitChain(from: thread) { thread in owners[thread].map { link(thread, owner: $0) } }
  }

  private func link(_ thread: Int32, owner: Int32?, switches: UInt64 = 7, timed: Bool = false)
    -> WaitChain.Link
  {
    var target = WaitTarget(.mutex, address: UInt64(thread), owner: owner)
    target.isTimed = timed
    let call = SystemCall.Call(
      number: 202, arguments: [UInt64(thread), 128, 2, 0, 0, 0], stackPointer: 1, programCounter: 2)
    return WaitChain.Link(
      thread: thread, target: target, systemCall: .inCall(call), voluntarySwitches: switches)
  }

  @Test func `who does not wait has no chain`() {
    #expect(chain(from: 1, [:]).links.isEmpty)
    #expect(chain(from: 1, [:]).concerned.isEmpty)
  }

  @Test func `a chain ends at the thread that does not wait`() {
    let found = chain(from: 1, [1: 2, 2: 3])
    #expect(found.threads == [1, 2])
    #expect(found.concerned == [1, 2, 3])
    #expect(found.cycle == nil)
  }

  @Test func `a chain ends where nobody is known to hold`() {
    let found = chain(from: 1, [1: 2, 2: nil])
    #expect(found.threads == [1, 2])
    #expect(found.concerned == [1, 2])
  }

  @Test func `circles, from inside and from outside`() {
    #expect(chain(from: 1, [1: 1]).cycle == 0..<1)
    #expect(chain(from: 1, [1: 2, 2: 1]).cycle == 0..<2)
    #expect(chain(from: 1, [1: 2, 2: 3, 3: 2]).cycle == 1..<3)
  }

  @Test func `an endless chain has an end`() {
    let found = WaitChain(from: 1) { link($0, owner: $0 + 1) }
    #expect(found.links.count == WaitChain.linkCountMax)
    #expect(found.cycle == nil)
  }

  // MARK: deadlocks

  private func ring(switches: UInt64 = 7, timed: Bool = false) -> WaitChain {
    WaitChain(from: 2) { link($0, owner: $0 == 2 ? 3 : 2, switches: switches, timed: timed) }
  }

  @Test func `a circle that is seen twice is a deadlock`() {
    var watch = DeadlockWatch(distance: 50)
    #expect(watch.note(ring(), at: 1000) == nil)
    #expect(watch.note(ring(), at: 1049) == nil)
    #expect(watch.note(ring(), at: 1050)?.map(\.thread) == [2, 3])
    #expect(watch.deadlock?.count == 2)
    // And none any more once it is gone.
    #expect(watch.note(chain(from: 2, [2: 3]), at: 1100) == nil)
    #expect(watch.deadlock == nil)
  }

  @Test func `a circle in which somebody has run is seen for the first time`() {
    var watch = DeadlockWatch(distance: 50)
    watch.note(ring(switches: 7), at: 1000)
    #expect(watch.note(ring(switches: 8), at: 1050) == nil)
    #expect(watch.note(ring(switches: 8), at: 1100) != nil)
  }

  @Test func `a circle that was interrupted is seen for the first time`() {
    var watch = DeadlockWatch(distance: 50)
    watch.note(ring(), at: 1000)
    watch.note(chain(from: 2, [2: 3]), at: 1050)
    #expect(watch.note(ring(), at: 1100) == nil)
  }

  @Test func `a circle that opens by itself is no deadlock`() {
    var watch = DeadlockWatch(distance: 50)
    watch.note(ring(timed: true), at: 1000)
    #expect(watch.note(ring(timed: true), at: 2000) == nil)
  }

  @Test func `one circle is the same from whichever of its threads it is seen`() {
    var watch = DeadlockWatch(distance: 50)
    let links = [link(1, owner: 2), link(2, owner: 3), link(3, owner: 1)]
    let seen = (1...3).map { first in WaitChain(from: Int32(first)) { links[Int($0) - 1] } }
    watch.note(seen[0], at: 0)
    #expect(watch.note(seen[1], at: 100)?.map(\.thread) == [1, 2, 3])
    #expect(watch.note(seen[2], at: 200)?.map(\.thread) == [1, 2, 3])
  }

  @Test func `a clock that goes back confirms nothing`() {
    var watch = DeadlockWatch(distance: 50)
    watch.note(ring(), at: 1000)
    #expect(watch.note(ring(), at: 10) == nil)
  }
}
