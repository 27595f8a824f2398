import Mainspring
import MainspringTesting
import Testing

/// Removal and invalidation while what was found is being served.
@Suite struct RemovalTests {
  enum Kind: CaseIterable { case source, timer, port, descriptor, observer }

  /// A pair that one pass finds together: the first one called does `work` to the second.
  private struct Pair {
    let first: RunLoop.Item
    let second: RunLoop.Item
    /// Makes the second one ready again.
    let renew: () -> Void
  }

  private func makePair(
    _ kind: Kind, _ virtual: VirtualRunLoop, modes: [RunLoop.Mode], calls: Record<String>,
    work: @escaping @Sendable (RunLoop.Item) -> Void
  ) throws -> Pair {
    let loop = virtual.loop
    let other = Box<RunLoop.Item>()
    let callFirst: @Sendable (RunLoop.Item) -> Void = { item in
      calls.add("first")
      item.invalidate()
      work(other.value!)
    }
    let callSecond: @Sendable () -> Void = { calls.add("second in \(loop.currentMode!)") }
    let pair: Pair
    switch kind {
    case .source:
      let first = RunLoop.Source(order: 1) { callFirst($0) }
      let second = RunLoop.Source(order: 2) { _ in callSecond() }
      pair = Pair(first: first, second: second) { second.signal() }
      first.signal()
      second.signal()
    case .timer:
      let first = RunLoop.Timer(every: .seconds(1), first: virtual.now) { callFirst($0) }
      let second = RunLoop.Timer(every: .seconds(1), first: virtual.now) { _ in callSecond() }
      pair = Pair(first: first, second: second) { second.setFireDate(virtual.now) }
    case .port:
      let first = RunLoop.Port<Int>(order: 1) { port, _ in callFirst(port) }
      let second = RunLoop.Port<Int>(order: 2) { _, _ in callSecond() }
      // The message that was not delivered still waits.
      pair = Pair(first: first, second: second) {}
      first.send(1)
      second.send(1)
    case .descriptor:
      for number: Int32 in [7, 8] { virtual.setReadiness(.read, of: number) }
      let first = RunLoop.DescriptorSource(7, order: 1) { source, _ in callFirst(source) }
      let second = RunLoop.DescriptorSource(8, order: 2) { _, _ in callSecond() }
      pair = Pair(first: first, second: second) { virtual.setReadiness(.read, of: 8) }
    case .observer:
      let first = RunLoop.Observer(.beforeTimers, order: 1) { observer, _ in callFirst(observer) }
      let second = RunLoop.Observer(.beforeTimers, order: 2) { _, _ in callSecond() }
      pair = Pair(first: first, second: second) {}
    }
    other.value = pair.second
    loop.add(pair.first, to: modes[0])
    for mode in modes { loop.add(pair.second, to: mode) }
    return pair
  }

  @Test(arguments: Kind.allCases)
  func `M26: what was removed from the mode is not called there any more, from its other modes it is`(
    kind: Kind
  ) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    let pair = try makePair(kind, virtual, modes: ["a", "b"], calls: calls) { loop.remove($0, from: "a") }
    loop.turn(in: "a")
    loop.turn(in: "a")
    #expect(calls.all == ["first"])
    pair.renew()
    loop.turn(in: "a")
    #expect(calls.all == ["first"])
    loop.turn(in: "b")
    #expect(calls.all == ["first", "second in b"])
  }

  @Test(arguments: Kind.allCases)
  func `M26: what was removed from another mode is still called in this one`(kind: Kind) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    _ = try makePair(kind, virtual, modes: ["a", "b"], calls: calls) { loop.remove($0, from: "b") }
    loop.turn(in: "a")
    #expect(calls.all == ["first", "second in a"])
    loop.turn(in: "b")
    #expect(calls.all == ["first", "second in a"])
  }

  @Test(arguments: Kind.allCases)
  func `M26: an item of the common modes that was removed from one of them is called in the others`(
    kind: Kind
  ) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    let pair = try makePair(kind, virtual, modes: [.common], calls: calls) { loop.remove($0, from: .default) }
    loop.turn()
    #expect(calls.all == ["first"])
    pair.renew()
    loop.turn()
    loop.turn(in: .tracking)
    #expect(calls.all == ["first", "second in tracking"])
  }

  @Test(arguments: Kind.allCases)
  func `M26: what was invalidated is not called again at all`(kind: Kind) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    let pair = try makePair(kind, virtual, modes: ["a", "b"], calls: calls) { $0.invalidate() }
    loop.turn(in: "a")
    pair.renew()
    loop.turn(in: "a")
    loop.turn(in: "b")
    #expect(calls.all == ["first"])
    #expect(!pair.second.isValid)
    #expect(loop.add(pair.second as RunLoop.Item, to: "a") == false)
  }

  @Test(arguments: Kind.allCases)
  func `M26: from another thread removal takes effect at the next boundary`(kind: Kind) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    let pair = try makePair(kind, virtual, modes: ["a", "b"], calls: calls) { _ in }
    loop.actingFromElsewhere { loop.remove(pair.second, from: "a") }
    #expect(loop.contains(pair.second, in: "a"), "not yet")
    loop.turn(in: "a")
    #expect(!loop.contains(pair.second, in: "a"))
    #expect(calls.all == ["first"])
    loop.turn(in: "b")
    #expect(calls.all == ["first", "second in b"])
  }

  @Test(arguments: Kind.allCases)
  func `M26: from another thread invalidation takes effect at the next boundary, too`(kind: Kind) throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    let pair = try makePair(kind, virtual, modes: ["a", "b"], calls: calls) { item in
      loop.actingFromElsewhere { item.invalidate() }
    }
    loop.turn(in: "a")
    loop.turn(in: "b")
    #expect(calls.all == ["first"])
    #expect(!loop.contains(pair.second, in: "b"))
  }

  @Test func `M26: an observer that was removed is not called although a nested run looked at the lists`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<String>()
    let second = RunLoop.Observer(.beforeTimers, order: 2) { _, _ in calls.add("second") }
    loop.add(
      RunLoop.Observer(.beforeTimers, order: 1) { _, _ in
        calls.add("first")
        loop.remove(second, from: .default)
        loop.turn()
      }, to: .default)
    loop.add(second, to: .default)
    loop.turn()
    #expect(calls.all == ["first"])
  }

  @Test(arguments: [false, true])
  func `M26: an observer that a run inside an activity takes out lives until the activity is over`(
    comesAgain: Bool
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let flag = ReleaseFlag()
    let seen = Record<String>()
    let victim = Box<RunLoop.Observer>()
    func makeVictim(_ token: consuming ReleaseToken) {
      let held = token
      victim.value = RunLoop.Observer(.beforeTimers, order: 2) { _, _ in
        seen.add("victim")
        held.touch()
      }
    }
    makeVictim(ReleaseToken(flag))
    let nesting = RunLoop.Observer(.beforeTimers, order: 1) { _, _ in
      guard victim.value != nil else { return }
      loop.perform(in: "inner") {
        // Nobody but the loop keeps it.
        loop.remove(victim.value!, from: .default)
        if comesAgain {
          loop.add(victim.value!, to: .default)
          loop.remove(victim.value!, from: .default)
        }
        victim.value = nil
      }
      loop.turn(in: "inner")
      // The activity has yet to pass over it.
      seen.add(flag.isRaised ? "freed" : "kept")
    }
    loop.add(nesting, to: .default)
    loop.add(victim.value!, to: .default)
    loop.turn()
    #expect(seen.all == ["kept"])
    #expect(flag.isRaised, "no longer than that")
  }

  @Test func `M26: a timer that was found due keeps its turn when it leaves another mode, whichever`() {
    for modes: [RunLoop.Mode] in [
      ["here", "other", "third"], ["other", "here", "third"], ["other", "here"],
    ] {
      let virtual = VirtualRunLoop()
      let loop = virtual.loop
      let seen = Record<String>()
      let second = RunLoop.Timer(every: .seconds(1), first: virtual.now) { _ in seen.add("second") }
      loop.add(
        RunLoop.Timer(after: .zero) { _ in
          seen.add("first")
          loop.remove(second, from: "other")
        }, to: "here")
      for mode in modes { loop.add(second, to: mode) }
      loop.turn(in: "here")
      #expect(seen.all == ["first", "second"], "\(modes)")
      // And its date in those that are left.
      #expect(loop.nextTimerDate(in: "here") == second.fireDate)
      #expect(loop.nextTimerDate(in: "other") == nil)
      second.invalidate()
      #expect(loop.nextTimerDate(in: "here") == nil)
    }
  }

  @Test func `M26: a removed timer keeps its date and fires when it is added again`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let fires = Record<RunLoop.Instant>()
    let timer = RunLoop.Timer(after: .seconds(1)) { _ in fires.add(virtual.now) }
    let date = timer.fireDate
    loop.add(timer, to: .default)
    loop.remove(timer, from: .default)
    loop.run(in: .default, for: .seconds(2), whenEmpty: .wait)
    #expect(fires.isEmpty)
    #expect(timer.fireDate == date)
    loop.add(timer, to: .default)
    loop.turn()
    #expect(fires.all == [virtual.now])
  }

  @Test func `M26: who is taken out of one common mode keeps its place among equals in the others`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let observers = ["first", "second"].map { name in
      RunLoop.Observer(.beforeTimers) { _, _ in seen.add(name) }
    }
    let due = virtual.now
    let timers = Box<[RunLoop.Timer]>()
    timers.value = ["one", "two"].map { name in
      RunLoop.Timer(at: due) { _ in
        seen.add(name)
        loop.remove(timers.value![1], from: .tracking)
        loop.perform(in: .default) { seen.add("block") }
      }
    }
    for observer in observers { loop.add(observer, to: .common) }
    for timer in timers.value! { loop.add(timer, to: .common) }
    loop.remove(observers[0], from: .tracking)
    loop.turn()
    #expect(seen.all == ["first", "second", "one", "two", "block", "block"])
  }
}
