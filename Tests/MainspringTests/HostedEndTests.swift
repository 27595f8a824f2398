import CMainspring
import Mainspring
import MainspringTesting
import Testing

/// Runs, stops and the end of a loop that is hosted.
@Suite struct HostedEndTests {
  @Test func `M61, M13: a callout of a turn may run the loop, and the turn goes on after it`() {
    onOwnThread { loop in
      try loop.withHost { host in
        let seen = Record<String>()
        loop.perform(in: .default) {
          let timer = RunLoop.Timer(after: .milliseconds(1)) { _ in
            seen.add("in the nested run")
            loop.stop()
          }
          loop.add(timer, to: .default)
          loop.run(in: .default)
          loop.perform(in: .default) { seen.add("after it") }
        }
        host.serve { seen.count == 2 }
        #expect(seen.all == ["in the nested run", "after it"])
        #expect(!host.isReadable)
      }
    }
  }

  /// What the callout did before the host ran, and what comes meanwhile.
  @Test(arguments: PollingHost.Trigger.allCases)
  func `M61: a callout of a turn may run the host, which lets the loop have turns within the turn`(
    _ trigger: PollingHost.Trigger
  ) {
    onOwnThread { loop in
      try loop.withHost { host in
        let seen = Record<String>()
        let guest = host.guest
        let waiting = Record<String>()
        loop.add(
          RunLoop.Observer([.beforeWaiting, .afterWaiting]) { _, activity in waiting.add("\(activity)") },
          to: .default)
        loop.perform(in: .default) {
          guard let inner = try? PollingHost(of: guest, trigger) else { return }
          loop.perform(in: .default) { seen.add("queued before") }
          inner.serve { seen.count == 1 }
          TestThread { loop.perform(in: .default) { seen.add("sent meanwhile") } }.join()
          inner.serve { seen.count == 2 }
          loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in seen.add("timer") }, to: .default)
          inner.serve { seen.count == 3 }
          inner.stopWatching()
        }
        host.serve()
        #expect(seen.all == ["queued before", "sent meanwhile", "timer"])
        // Each beforeWaiting has its afterWaiting.
        #expect(
          waiting.all.enumerated().allSatisfy { ($0.element == "beforeWaiting") == ($0.offset % 2 == 1) })
        #expect(!host.isReadable)
      }
    }
  }

  /// Also within the first turn, which the host was told of by the same edge.
  @Test(arguments: PollingHost.Trigger.allCases)
  func `M61: a turn rings anew for a host that a callout of it runs`(_ trigger: PollingHost.Trigger) {
    onOwnThread { loop in
      let guest = try loop.beHosted()
      let host = try PollingHost(of: guest, trigger)
      let seen = Record<String>()
      loop.perform(in: .default) {
        loop.perform(in: .default) { seen.add("within") }
        host.serve { !seen.isEmpty }
        seen.add("after")
      }
      host.serve()
      #expect(seen.all == ["within", "after"])
      host.stopWatching()
    }
  }

  @Test func `M61: what the host calls may run the loop, and nothing that run left is slept over`() {
    onOwnThread { loop in
      try loop.withHost { host in
        let seen = Record<String>()
        loop.perform(in: .default) { seen.add("in a run of its own") }
        loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait)
        #expect(seen.all == ["in a run of its own"])
        host.serve()
        TestThread { loop.perform(in: .default) { seen.add("hosted again") } }.join()
        host.serve { seen.count == 2 }
        #expect(!host.isReadable)
      }
    }
  }

  @Test func `M61: between turns the loop has no mode, in them it has that in which it is hosted`() {
    onOwnThread { loop in
      try loop.withHost(in: .tracking) { host in
        let seen = Record<RunLoop.Mode?>()
        #expect(loop.isHosted && loop.currentMode == nil && host.guest.mode == .tracking)
        loop.perform(in: .common) { seen.add(loop.currentMode) }
        host.serve()
        #expect(seen.all == [.tracking])
      }
      #expect(!loop.isHosted)
    }
  }

  enum Stop: CaseIterable { case own, elsewhere, signalHandler, inCallout }

  @Test(arguments: Stop.allCases)
  func `M61: a stop, from wherever, wakes the host and is told to it; the loop goes on with the next turn`(
    _ stop: Stop
  ) {
    onOwnThread { loop in
      try loop.withHost { host in
        switch stop {
        case .own: loop.stop()
        case .elsewhere: TestThread { loop.stop(.all) }.join()
        case .signalHandler:
          let handle = loop.signalHandle
          _ = unsafe mainspring_stop(handle.pointer, mainspring_stop_innermost)
        case .inCallout: loop.perform(in: .default) { loop.stop() }
        }
        #expect(host.wait())
        #expect(host.guest.turn() == .stopped)
        let seen = Record<String>()
        loop.perform(in: .default) { seen.add("block") }
        host.serve { !seen.isEmpty }
        #expect(!host.isReadable)
      }
    }
  }

  @Test func `M61: ended in a callout, the guest ends with the turn, and tells exit`() {
    onOwnThread { loop in
      let guest = try loop.beHosted()
      let seen = Record<String>()
      loop.add(
        RunLoop.Observer([.exit, .afterWaiting]) { _, activity in seen.add("\(activity)") }, to: .default)
      loop.perform(in: .default) {
        guest.invalidate()
        seen.add("invalidated")
      }
      #expect(guest.turn() == .over)
      #expect(seen.all == ["invalidated", "afterWaiting", "exit"])
      #expect(guest.turn() == .over)
    }
  }

  @Test func `M61, M50: after its end the loop runs itself again, and sleeps without a descriptor`() {
    onOwnThread { loop in
      let guest = try loop.beHosted()
      guest.turn()
      guest.invalidate()
      #expect(!PollingHost.isReadable(guest.descriptor))
      let seen = Record<String>()
      let sender = TestThread { loop.perform(in: .default) { loop.stop() } }
      loop.add(RunLoop.Observer([.entry, .exit]) { _, activity in seen.add("\(activity)") }, to: .default)
      loop.run(in: .default, whenEmpty: .wait)
      sender.join()
      #expect(seen.all == ["entry", "exit"])
      let next = try loop.beHosted()
      #expect(next.turn() == .idle)
    }
  }

  @Test func `M61: ended from another thread, or by its last reference there, it is over with the next turn`()
  {
    onOwnThread { loop in
      for isDropped in [false, true] {
        let box = Box(try loop.beHosted())
        let descriptor = box.value!.descriptor
        box.value?.turn()
        TestThread { if isDropped { box.value = nil } else { box.value?.invalidate() } }.join()
        #expect(PollingHost.isReadable(descriptor))
        if isDropped { loop.run(in: .default, for: .zero) } else { #expect(box.value?.turn() == .over) }
        #expect(!loop.isHosted)
      }
    }
  }

  @Test func `M61, M44: it ends with the loop's thread`() {
    let (box, seen) = (Box<RunLoop.Guest>(), Record<String>())
    onOwnThread { loop in
      box.value = try loop.beHosted()
      loop.add(RunLoop.Observer(.exit) { _, _ in seen.add("exit") }, to: .default)
      box.value?.turn()
    }
    #expect(seen.all == ["exit"])
    #expect(!PollingHost.isReadable(box.value!.descriptor))
  }

  @Test func `M61: a loop that is hosted takes no second host, and none in the common modes`() async {
    await #expect(processExitsWith: .failure) {
      let first = try RunLoop.main.base.beHosted()
      _ = try RunLoop.main.base.beHosted()
      first.turn()
    }
    await #expect(processExitsWith: .failure) { _ = try RunLoop.main.base.beHosted(in: .common) }
  }
}
