import Mainspring
import MainspringTesting
import Testing

@Suite struct ObserverTests {
  @Test func `M41: ascending order numbers, equal ones in order of adding (CF 31)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    for (name, order, mode) in [
      ("max", Int.max, RunLoop.Mode.default), ("b1", 0, .common), ("b2", 0, .default), ("c", 5, .common),
      ("b3", 0, .common), ("min", .min, .common), ("a", -5, .default), ("b4", 0, .default),
    ] {
      loop.add(RunLoop.Observer(.entry, order: order) { _, _ in seen.add(name) }, to: mode)
    }
    loop.turn()
    #expect(seen.all == ["min", "a", "b1", "b2", "b3", "b4", "c", "max"])
  }

  @Test func `M41: one that is added during an activity waits for the next (CF 32)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(
      RunLoop.Observer([.beforeTimers, .beforeSources], repeats: false, order: 1) { _, _ in
        loop.add(
          RunLoop.Observer([.beforeTimers, .beforeSources], order: 2) { _, activity in
            seen.add("\(activity)")
          }, to: .default)
      }, to: .default)
    loop.turn()
    #expect(seen.all == ["beforeSources"])
  }

  @Test func `M41: one that is invalidated during the activity is not called (CF 32)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let second = RunLoop.Observer(.entry, order: 2) { _, _ in seen.add(2) }
    loop.add(RunLoop.Observer(.entry, order: 1) { _, _ in second.invalidate() }, to: .default)
    loop.add(second, to: .default)
    loop.turn()
    #expect(seen.isEmpty)
  }

  @Test func `M41: not re-entered by a nested run, where others are called (CF 33)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.add(
      RunLoop.Observer(.beforeTimers, order: 1) { _, _ in
        seen.add("nesting")
        loop.turn()
      }, to: .default)
    loop.add(RunLoop.Observer(.beforeTimers, order: 2) { _, _ in seen.add("other") }, to: .default)
    loop.turn()
    #expect(seen.all == ["nesting", "other", "other"])
    seen.clear()
    loop.turn()
    #expect(seen.all == ["nesting", "other", "other"], "afterwards it is called again")
  }

  @Test
  func `M41: one that does not repeat is invalidated after its first call, of whatever activity (CF 34)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let observer = RunLoop.Observer(.all, repeats: false) { observer, activity in
      #expect(observer.isValid)
      seen.add("\(activity)")
    }
    loop.add(observer, to: .common)
    loop.turn()
    loop.turn(in: .tracking)
    #expect(seen.all == ["entry"])
    #expect(!observer.isValid)
  }

  @Test func `M41: any number of modes of one loop, and an invalid one is not added (CF 35)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let observer = RunLoop.Observer(.entry) { _, _ in seen.add(loop.currentMode!.name) }
    for mode in [RunLoop.Mode.default, "a", "b"] { #expect(loop.add(observer, to: mode)) }
    for mode in [RunLoop.Mode.default, "a", "b", "c"] { loop.turn(in: mode) }
    #expect(seen.all == ["default", "a", "b"])
    observer.invalidate()
    #expect(loop.add(observer, to: "c") == false)
    loop.turn(in: "c")
    #expect(seen.count == 3)
  }

  @Test func `M41: only the activities that were asked for`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<RunLoop.Activity>()
    loop.add(RunLoop.Observer([.entry, .afterWaiting]) { _, activity in seen.add(activity) }, to: .default)
    // Another one is called at the others.
    loop.add(RunLoop.Observer(.all) { _, _ in }, to: .default)
    loop.run(in: .default, for: .seconds(1), whenEmpty: .wait)
    #expect(seen.all == [.entry, .afterWaiting])
  }
}
