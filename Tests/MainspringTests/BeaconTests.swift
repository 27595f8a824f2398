import Mainspring
import MainspringTesting
import Synchronization
import Testing

@Suite struct BeaconTests {
  /// What the beacon shows at this moment.
  private func shown(_ loop: RunLoop) -> (phase: Phase, nesting: Int, mode: UInt32?, line: Int) {
    let reading = loop.beacon.read()
    return (reading.state.phase, reading.state.nesting, reading.state.modeNumber, reading.site.line)
  }

  @Test func `a callout shows its phase, its mode and where its item was made`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let line = #line + 1
    let timer = RunLoop.Timer(after: .milliseconds(1)) { _ in
      let shown = shown(loop)
      #expect(shown.phase == .timer)
      #expect(shown.nesting == 1)
      #expect(shown.mode == RunLoop.Mode.tracking.number)
      #expect(shown.line == line)
    }
    loop.add(timer, to: .tracking)
    #expect(shown(loop).phase == .outside)
    loop.run(in: .tracking)
    #expect(shown(loop).phase == .outside)
    #expect(!timer.isValid)
  }

  @Test func `after a nested run the callout around it shows again, as progress`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Mutex<[String]>([])
    let note = { @Sendable (text: String) in seen.withLock { $0.append(text) } }
    loop.perform(in: .default) {
      let before = loop.beacon.read()
      loop.perform(in: .tracking) { note("\(shown(loop).phase)@\(shown(loop).nesting)") }
      loop.run(in: .tracking)
      let after = loop.beacon.read()
      note("\(after.state.phase)@\(after.state.nesting)")
      #expect(after.site.line == before.site.line)
      #expect(after.state.modeNumber == RunLoop.Mode.default.number)
      #expect(after.state.progress != before.state.progress)
    }
    loop.run()
    #expect(seen.withLock { $0 } == ["block@2", "block@1"])
  }

  @Test func `a loop that sleeps shows that it waits, and progress when it wakes`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.add(RunLoop.Timer(after: .seconds(2)) { _ in }, to: .default)
    var asleep: Beacon.State?
    virtual.at(.seconds(1)) { asleep = loop.beacon.read().state }
    loop.run()
    #expect(asleep?.phase == .waiting)
    #expect(asleep?.isBusy == false)
    #expect(loop.beacon.read().state.progress > asleep?.progress ?? .max)
  }

  @Test func `a callout inside another gives the beacon back to it`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let removed = RunLoop.Source(
      onCancel: { _, _ in #expect(shown(loop).phase == .sourceRegistration) }, perform: { _ in })
    loop.add(removed, to: .default)
    let line = #line + 1
    let timer = RunLoop.Timer(after: .milliseconds(1)) { _ in
      removed.invalidate()
      #expect(shown(loop).phase == .timer)
      #expect(shown(loop).line == line)
    }
    loop.add(timer, to: .default)
    loop.run()
    #expect(!timer.isValid)
  }

  @Test func `each message of a port counts as a callout`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let port = RunLoop.Port<Int> { port, message in if message == 5 { port.invalidate() } }
    loop.add(port, to: .default)
    for message in 1...5 { port.send(message) }
    let before = loop.beacon.read().callouts
    loop.run()
    #expect(loop.beacon.read().callouts - before >= 5)
  }

  @Test func `progress is stamped only while somebody watches`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) {}
    loop.run()
    #expect(loop.beacon.read().since == 0)
    loop.beacon.beginWatching()
    loop.perform(in: .default) {}
    loop.run()
    #expect(loop.beacon.read().since != 0)
    let stamp = loop.beacon.read().since
    loop.beacon.endWatching()
    loop.perform(in: .default) {}
    loop.run()
    #expect(loop.beacon.read().since == stamp)
    // A stamp from an earlier watcher's time says nothing to a new one.
    loop.beacon.beginWatching()
    #expect(loop.beacon.read().since == 0)
  }

  /// A loop that gets busy again and again, each time only after the watcher has seen it: a wake-up lost leaves both
  /// waiting for ever. It gets busy out of a wait and, at the start of a run, without one.
  @Test func `a parked watcher is woken each time the loop gets busy`() {
    let rounds = 200
    let ready = Gate()
    let begun = Atomic<Int>(0)
    let seen = Atomic<Int>(0)
    let made = Mutex<RunLoop?>(nil)
    let watched = TestThread {
      let loop = RunLoop.current
      loop.beacon.beginWatching()
      made.withLock { $0 = loop }
      ready.open()
      for round in 1...rounds {
        if round.isMultiple(of: 2) { loop.run(in: .default, for: .microseconds(20), whenEmpty: .wait) }
        loop.perform(in: .default) {
          begun.store(round, ordering: .releasing)
          while seen.load(ordering: .acquiring) < round {}
        }
        loop.run()
      }
    }
    ready.pass()
    let loop = made.withLock { $0! }
    for round in 1...rounds {
      while begun.load(ordering: .acquiring) < round {
        WatcherParking.park(until: nil, unless: { loop.beacon.read().state.isBusy })
      }
      seen.store(round, ordering: .releasing)
    }
    watched.join()
  }
}
