@testable import Mainspring
import MainspringTesting
import Testing

/// The closures of items and blocks go when they cannot be called any more, and not earlier.
@Suite struct LifetimeTests {
  enum Kind: CaseIterable { case source, timer, observer, port, descriptor }

  /// An item whose handler holds a token and calls `work`.
  private func makeItem(
    _ kind: Kind, _ token: consuming ReleaseToken, _ work: @escaping @Sendable (RunLoop.Item) -> Void
  ) -> RunLoop.Item {
    let held = token
    switch kind {
    case .source:
      let source = RunLoop.Source { item in
        work(item)
        held.touch()
      }
      source.signal()
      return source
    case .timer:
      return RunLoop.Timer(every: .seconds(1), first: RunLoop.Instant(nanoseconds: 0)) { item in
        work(item)
        held.touch()
      }
    case .observer:
      return RunLoop.Observer(.beforeTimers) { item, _ in
        work(item)
        held.touch()
      }
    case .port:
      let port = RunLoop.Port<Int> { item, _ in
        work(item)
        held.touch()
      }
      port.send(1)
      return port
    case .descriptor:
      return RunLoop.DescriptorSource(7) { item, _ in
        work(item)
        held.touch()
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `M38: an item that a run inside its callout takes out lives until the callout has returned, no longer`(
    kind: Kind
  ) {
    let virtual = VirtualRunLoop()
    virtual.setReadiness(.read, of: 7)
    let loop = virtual.loop
    let flag = ReleaseFlag()
    let inside = Record<Bool>()
    func addItem() {
      let item = makeItem(kind, ReleaseToken(flag)) { item in
        // Nobody but the loop keeps it.
        loop.perform(in: "inner") { loop.remove(item, from: .default) }
        for _ in 0..<2 {
          loop.turn(in: "inner")
          inside.add(flag.isRaised)
        }
      }
      loop.add(item, to: .default)
    }
    addItem()
    loop.turn()
    #expect(inside.all == [false, false])
    #expect(flag.isRaised)
  }

  /// A program that is not optimised holds what it calls; this one does not rely on that.
  @Test(arguments: Kind.allCases)
  func `M26: what a run inside its callout takes out is kept by the loop until the callout has returned`(
    kind: Kind
  ) {
    let virtual = VirtualRunLoop()
    virtual.setReadiness(.read, of: 7)
    let loop = virtual.loop
    let kept = Record<Int>()
    let item = makeItem(kind, ReleaseToken(ReleaseFlag())) { item in
      loop.perform(in: "inner") { loop.remove(item, from: .default) }
      for _ in 0..<2 {
        loop.turn(in: "inner")
        kept.add(loop.departed.count { $0 === item })
      }
    }
    loop.add(item, to: .default)
    loop.turn()
    #expect(kept.all == [1, 1])
    #expect(loop.departed.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `M26: it is kept once, however often it goes and comes again meanwhile`(kind: Kind) {
    let virtual = VirtualRunLoop()
    virtual.setReadiness(.read, of: 7)
    let loop = virtual.loop
    let kept = Record<Int>()
    let item = makeItem(kind, ReleaseToken(ReleaseFlag())) { item in
      @Sendable func goAndCome(_ times: Int) {
        // Each in a pass of its own.
        loop.perform(in: "inner") {
          kept.add(loop.departed.count { $0 === item })
          loop.remove(item, from: .default)
          loop.add(item, to: .default)
          if times > 1 { goAndCome(times - 1) }
        }
      }
      goAndCome(9)
      loop.run(in: "inner")
    }
    loop.add(item, to: .default)
    loop.turn()
    #expect(kept.count == 9)
    // Two blocks are of one pass.
    #expect(kept.all.allSatisfy { $0 <= 2 }, "\(kept.all)")
    #expect(loop.departed.isEmpty)
  }

  @Test func `M38: an item that leaves in one pass has gone by the next`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let flag = ReleaseFlag()
    let seen = Record<Bool>()
    let victim = Box<RunLoop.Item>()
    victim.value = makeItem(.source, ReleaseToken(flag)) { _ in }
    loop.add(victim.value!, to: .default)
    loop.add(RunLoop.Observer(.beforeTimers) { _, _ in seen.add(flag.isRaised) }, to: .default)
    for second in 1...2 {
      let timer = RunLoop.Timer(after: .seconds(second)) { _ in
        guard let item = victim.value else { return }
        loop.remove(item, from: .default)
        victim.value = nil
      }
      loop.add(timer, to: .default)
    }
    loop.run(in: .default)
    // Performed in the first pass, taken out in the second.
    #expect(seen.all == [false, false, true])
  }

  @Test(arguments: Kind.allCases)
  func `M38: an item that another takes out before its turn is not called, and goes with the pass`(kind: Kind)
  {
    let virtual = VirtualRunLoop()
    virtual.setReadiness(.read, of: 7)
    let loop = virtual.loop
    let flag = ReleaseFlag()
    let called = Record<String>()
    let victim = Box<RunLoop.Item>()
    victim.value = makeItem(kind, ReleaseToken(flag)) { _ in called.add("victim") }
    let taker = makeItem(kind, ReleaseToken(ReleaseFlag())) { _ in
      called.add("taker")
      if let item = victim.value { loop.remove(item, from: .default) }
      victim.value = nil
    }
    // One after the other in each kind's order of service.
    loop.add(taker, to: .default)
    loop.add(victim.value!, to: .default)
    loop.turn()
    loop.turn()
    #expect(called.all.first == "taker")
    #expect(!called.all.contains("victim"))
    #expect(flag.isRaised)
    taker.invalidate()
  }

  @Test(arguments: Kind.allCases)
  func `M38: an item that invalidates itself frees its closure when the callout has returned`(kind: Kind) {
    let virtual = VirtualRunLoop()
    virtual.setReadiness(.read, of: 7)
    let loop = virtual.loop
    let flag = ReleaseFlag()
    let inside = Record<Bool>()
    let after = Record<Bool>()
    let item = makeItem(kind, ReleaseToken(flag)) { item in
      item.invalidate()
      inside.add(flag.isRaised)
      // A boundary inside the callout must not free it either.
      loop.turn(in: "inner")
      inside.add(flag.isRaised)
      loop.perform(in: .default) { after.add(flag.isRaised) }
    }
    loop.add(item, to: .default)
    loop.turn()
    #expect(inside.all == [false, false])
    #expect(after.all == [true])
    withExtendedLifetime(item) {}
  }

  @Test(arguments: Kind.allCases)
  func `M38: invalidation by others frees the closure at once, though the item is still held`(kind: Kind) {
    let virtual = VirtualRunLoop()
    let flag = ReleaseFlag()
    let item = makeItem(kind, ReleaseToken(flag)) { _ in }
    for mode in [RunLoop.Mode.default, "other"] { virtual.loop.add(item, to: mode) }
    virtual.loop.remove(item, from: "other")
    #expect(!flag.isRaised)
    item.invalidate()
    #expect(flag.isRaised)
    withExtendedLifetime(item) {}
  }

  @Test(arguments: Kind.allCases)
  func `M38: an item that was never added frees its closure when it is invalidated`(kind: Kind) {
    let flag = ReleaseFlag()
    let item = makeItem(kind, ReleaseToken(flag)) { _ in }
    item.invalidate()
    #expect(flag.isRaised)
    withExtendedLifetime(item) {}
  }

  @Test(arguments: Kind.allCases)
  func `M38: an item of an ended loop frees its closure when it is invalidated`(kind: Kind) {
    let virtual = VirtualRunLoop()
    let flag = ReleaseFlag()
    let item = makeItem(kind, ReleaseToken(flag)) { _ in }
    virtual.loop.add(item, to: .default)
    virtual.end()
    #expect(!flag.isRaised)
    item.invalidate()
    #expect(flag.isRaised)
  }

  @Test(arguments: Kind.allCases)
  func `M38: an item that only its loop held goes when it leaves its last mode`(kind: Kind) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let flag = ReleaseFlag()
    weak var weakItem: RunLoop.Item?
    do {
      let item = makeItem(kind, ReleaseToken(flag)) { _ in }
      weakItem = item
      loop.add(item, to: .default)
    }
    #expect(weakItem != nil)
    if let item = weakItem { loop.remove(item, from: .default) }
    #expect(weakItem == nil)
    #expect(flag.isRaised)
  }

  @Test func `M38: a source that goes in a run inside what it is told outside runs is not kept by the loop`()
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    weak var source: RunLoop.Source?
    do {
      let added = RunLoop.Source(onSchedule: { source, _ in
        loop.perform(in: "inner") { source.invalidate() }
        loop.turn(in: "inner")
      }) { _ in }
      source = added
      loop.add(added, to: .default)
    }
    #expect(source == nil)
  }

  @Test(arguments: Kind.allCases)
  func `M38: what a handler holds may invalidate the item once more as it goes, and goes once`(kind: Kind) {
    let virtual = VirtualRunLoop()
    let ends = Record<Bool>()
    let held = Box<RunLoop.Item>()
    let owner = Box<Owner>(
      Owner {
        try? held.value?.invalidateAndWait()
        virtual.loop.turn(in: "inner")
        ends.add(held.value?.isValid ?? true)
      })
    let item: RunLoop.Item =
      switch kind {
      case .source:
        RunLoop.Source(onCancel: { [owner = owner.value] _, _ in owner?.touch() }) {
          [owner = owner.value] _ in owner?.touch()
        }
      case .timer: RunLoop.Timer(after: .zero) { [owner = owner.value] _ in owner?.touch() }
      case .observer: RunLoop.Observer(.all) { [owner = owner.value] _, _ in owner?.touch() }
      case .port: RunLoop.Port<Int> { [owner = owner.value] _, _ in owner?.touch() }
      case .descriptor: RunLoop.DescriptorSource(7) { [owner = owner.value] _, _ in owner?.touch() }
      }
    owner.value = nil
    held.value = item
    virtual.loop.add(item, to: .default)
    item.invalidate()
    #expect(ends.all == [false])
    held.value = nil
  }

  /// Does something as it goes.
  private final class Owner: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
    func touch() {}
  }

  @Test(arguments: [RunLoop.Mode.default, .tracking], Kind.allCases)
  func `M44: what is taken out of one common mode as the loop ends stays in no other`(
    mode: RunLoop.Mode, kind: Kind
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let item = makeItem(kind, ReleaseToken(ReleaseFlag())) { _ in }
    let source = RunLoop.Source(onCancel: { _, _ in loop.remove(item, from: .tracking) }) { _ in }
    // It leaves before what is in the common modes.
    loop.add(source, to: mode)
    loop.add(item, to: .common)
    virtual.end()
    #expect(item.modes.isEmpty)
    #expect(loop.exceptedItems.isEmpty)
  }

  @Test func `M38: a block's closure is freed once it ran, for several modes as well`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let flags = [ReleaseFlag(), ReleaseFlag()]
    let seen = Record<Bool>()
    func queue() {
      let tokens = flags.map { ReleaseToken($0) }
      loop.perform(in: .default) { [token = tokens[0]] in token.touch() }
      loop.perform(in: [.default, "never"]) { [token = tokens[1]] in token.touch() }
    }
    queue()
    #expect(flags.allSatisfy { !$0.isRaised })
    loop.perform(in: .default) { for flag in flags { seen.add(flag.isRaised) } }
    loop.turn()
    #expect(seen.all == [true, true])
  }

  @Test func `M38: blocks that never ran are freed at the end of the loop (CF 8)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let flags = (0..<4).map { _ in ReleaseFlag() }
    let ran = Record<Int>()
    func queue() {
      for (index, flag) in flags.enumerated() {
        let token = ReleaseToken(flag)
        let block: @Sendable () -> Void = {
          token.touch()
          ran.add(index)
        }
        switch index {
        case 0: loop.perform(in: .default, block)
        case 1: loop.perform(in: ["a", "b"], block)
        case 2: loop.actingFromElsewhere { _ = loop.perform(in: .default, block) }
        default: loop.perform(in: ["a", "b"], block)
        }
      }
    }
    queue()
    loop.perform(in: ["inner", "a"]) {}
    loop.turn(in: "inner")
    virtual.end()
    #expect(flags.map(\.isRaised) == [true, true, true, true])
    #expect(ran.isEmpty)
  }

  @Test func `M39: invalidating the last timer leaves no stale wake-up`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let timer = RunLoop.Timer(after: .seconds(1)) { _ in }
    loop.add(timer, to: .default)
    timer.invalidate()
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(virtual.sleepCount == 1)
    #expect(virtual.passCount == 1)
  }

  @Test(arguments: [true, false])
  func `M39: nor does invalidating or moving it from elsewhere while the loop sleeps`(isMoved: Bool) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let timer = RunLoop.Timer(after: .seconds(5)) { _ in }
    loop.add(timer, to: .default)
    virtual.at(.seconds(1)) {
      if isMoved { timer.setFireDate(.init(nanoseconds: .max - 1)) } else { timer.invalidate() }
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    // Woken once, by the change; not at the old date.
    #expect(virtual.sleepCount == 2)
    #expect(virtual.passCount == 1)
  }

  @Test func `M39: a timer whose date moved within its slot of the wheel leaves no wake-up at the old one`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let timers = (1...5).map { second in RunLoop.Timer(after: .seconds(3600 + second)) { _ in } }
    for timer in timers { loop.add(timer, to: .default) }
    for timer in timers.prefix(4) { timer.invalidate() }
    loop.run(in: .default)
    #expect(virtual.sleepCount == 1)
  }
}
