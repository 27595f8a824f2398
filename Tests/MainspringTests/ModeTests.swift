import Mainspring
import MainspringTesting
import Testing

@Suite struct ModeTests {
  @Test func `M15: a mode is a value: equal names are the same mode`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: RunLoop.Mode("my" + "Mode"))
    #expect(loop.contains(source, in: "myMode"))
    #expect(RunLoop.Mode("common") == .common)
    #expect(RunLoop.Mode("default") == .default)
    #expect(RunLoop.Mode("a") != RunLoop.Mode("b"))
  }

  /// A static program makes its main loop before the runtime has seeded its hashes.
  @Test func `M15: where a mode stands in a set does not depend on the seed of the process`() {
    #expect(RunLoop.Mode.default._rawHashValue(seed: 5) == 5)
    #expect(RunLoop.Mode("default") == .default && RunLoop.Mode("common") == .common)
  }

  @Test func `M15: the ready-made modes have their names`() {
    let names = [RunLoop.Mode.default, .common, .tracking, .initialization].map(\.name)
    #expect(names == ["default", "common", "tracking", "initialization"])
  }

  @Test func `M15: a mode has no wait set until it holds a descriptor, and gives it back`() throws {
    try CountingPoller.withLoop { loop, poller in
      loop.add(RunLoop.Source { _ in }, to: .default)
      loop.run(in: .default, for: .zero)
      #expect(poller.waitSetsMade == 0)
      let pipe = Pipe()
      let source = RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }
      try loop.add(source, to: .default)
      loop.run(in: .default, for: .zero)
      #expect(poller.waitSetCount == 1)
      loop.remove(source, from: .default)
      #expect(poller.waitSetCount == 0)
    }
  }

  @Test func `M15: the wait set of the mode that runs is given back, too`() throws {
    try CountingPoller.withLoop { loop, poller in
      let pipe = Pipe()
      pipe.fill()
      let counts = Record<Int>()
      try loop.add(
        RunLoop.DescriptorSource(pipe.readEnd) { source, _ in
          counts.add(poller.waitSetCount)
          source.invalidate()
          loop.perform(in: .default) {
            // A pass later.
            loop.perform(in: .default) { counts.add(poller.waitSetCount) }
          }
        }, to: .default)
      loop.run(in: .default)
      #expect(counts.all.first == 1)
      #expect(poller.waitSetCount == 0)
    }
  }

  @Test func `M15: each mode that holds descriptors has its own`() throws {
    try CountingPoller.withLoop { loop, poller in
      let pipe = Pipe()
      try loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }, to: .common)
      for mode in [RunLoop.Mode.default, .tracking, .initialization] {
        loop.run(in: mode, for: .zero, whenEmpty: .wait)
      }
      #expect(poller.waitSetCount == 2)
    }
  }

  @Test func `M16: what is added to common is served in every common mode and in no other (CF 77)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let source = RunLoop.Source { _ in seen.add(loop.currentMode!.name) }
    loop.add(source, to: .common)
    for mode in [RunLoop.Mode.default, .tracking, .initialization, "other"] {
      source.signal()
      loop.turn(in: mode)
    }
    #expect(seen.all == ["default", "tracking"])
  }

  @Test func `M16: a mode can be made common later, and the items in common join it (CF 77)`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let source = RunLoop.Source { _ in seen.add("source") }
    let port = RunLoop.Port<Int> { _, _ in seen.add("port") }
    for item in [source, port, RunLoop.Timer(after: .zero) { _ in seen.add("timer") }] {
      loop.add(item, to: .common)
    }
    loop.add(RunLoop.Observer(.entry) { _, _ in seen.add("observer") }, to: .common)
    virtual.setReadiness(.read, of: 7)
    try loop.add(RunLoop.DescriptorSource(7) { _, _ in seen.add("descriptor") }, to: .common)
    loop.perform(in: .common) { seen.add("block") }
    source.signal()
    port.send(1)
    loop.turn(in: "later")
    #expect(seen.isEmpty)
    loop.addCommonMode("later")
    loop.turn(in: "later")
    #expect(seen.all == ["observer", "block", "source", "timer", "port", "descriptor"])
  }

  @Test func `M16: descriptors of the common modes join one that waits for descriptors of its own already`()
    throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<CInt>()
    for (number, mode) in [(CInt(7), RunLoop.Mode.common), (8, "later")] {
      try loop.add(RunLoop.DescriptorSource(number) { source, _ in seen.add(source.descriptor) }, to: mode)
    }
    loop.turn(in: "later")
    loop.addCommonMode("later")
    virtual.setReadiness(.read, of: 7)
    loop.turn(in: "later")
    #expect(seen.all == [7])
  }

  @Test func `M16: an item that was in the mode by hand is served once when the mode becomes common`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let scheduled = Record<String>()
    let source = RunLoop.Source(
      onSchedule: { _, mode in scheduled.add("+\(mode)") }, onCancel: { _, mode in scheduled.add("-\(mode)") }
    ) { _ in seen.add("source") }
    let timer = RunLoop.Timer(every: .seconds(1)) { _ in seen.add("timer") }
    for item in [source, timer] {
      loop.add(item, to: "later")
      loop.add(item, to: .common)
    }
    loop.addCommonMode("later")
    source.signal()
    loop.run(in: "later", for: .seconds(1))
    #expect(seen.all == ["source", "timer"])
    #expect(scheduled.all == ["+later", "+default", "+tracking"])
  }

  @Test func `M16: removing from common removes also where it was added by hand (CF 78)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .default)
    loop.add(source, to: "own")
    loop.add(source, to: .common)
    loop.remove(source, from: .common)
    #expect(!loop.contains(source, in: .common))
    #expect(!loop.contains(source, in: .default))
    #expect(!loop.contains(source, in: .tracking))
    #expect(loop.contains(source, in: "own"))
  }

  @Test
  func
    `M16: removing from one mode leaves it in common; a mode made common again does not bring it back (CF 78)`()
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in }
    loop.add(source, to: .common)
    loop.remove(source, from: .default)
    loop.addCommonMode(.default)
    #expect(!loop.contains(source, in: .default))
    #expect(loop.contains(source, in: .tracking))
    #expect(loop.contains(source, in: .common))
    loop.addCommonMode("later")
    #expect(loop.contains(source, in: "later"))
    loop.remove(source, from: .common)
    for mode in [RunLoop.Mode.common, .tracking, "later"] { #expect(!loop.contains(source, in: mode)) }
  }

  @Test func `M16: items that were taken out of one common mode keep their order in one that becomes common`()
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<Int>()
    let observers = (0..<20).map { number in RunLoop.Observer(.entry) { _, _ in seen.add(number) } }
    for observer in observers { loop.add(observer, to: .common) }
    for observer in observers.reversed() { loop.remove(observer, from: .default) }
    loop.addCommonMode("later")
    loop.turn(in: "later")
    #expect(seen.all == Array(0..<20))
  }

  @Test func `M16: adding where an item is already changes nothing`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let calls = Record<Int>()
    let observer = RunLoop.Observer(.entry) { _, _ in calls.add(1) }
    loop.add(observer, to: .default)
    loop.add(observer, to: .default)
    loop.add(observer, to: .common)
    loop.add(observer, to: .default)
    loop.turn()
    #expect(calls.count == 1)
  }

  @Test func `M17: the current mode is nil outside runs`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String?>()
    loop.perform(in: .tracking) { seen.add(loop.currentMode?.name) }
    #expect(loop.currentMode == nil)
    loop.turn(in: .tracking)
    #expect(seen.all == ["tracking"])
    #expect(loop.currentMode == nil)
  }

  @Test func `M17: modes lists the default mode and those that were added or queued to (CF 2, 3)`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.modes == [.default])
    loop.turn(in: "ran")
    loop.remove(RunLoop.Source { _ in }, from: "removed")
    _ = loop.nextTimerDate(in: "asked")
    _ = loop.contains(RunLoop.Source { _ in }, in: "looked")
    #expect(loop.modes == [.default])
    loop.add(RunLoop.Source { _ in }, to: "holds")
    loop.perform(in: "block") {}
    loop.add(RunLoop.Observer(.entry) { _, _ in }, to: "observed")
    let names = Set(loop.modes.map(\.name))
    #expect(names == ["default", "holds", "block", "observed"])
  }
}
