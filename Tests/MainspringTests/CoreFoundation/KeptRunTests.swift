import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// Facts about runs, blocks and sources that CFRunLoop and this loop have in common: each is asked of both.
@Suite struct KeptRunTests {
  @Test func `CF 2: a new loop has the default mode, which is common`() {
    expectBoth("default default-item") { peer, seen in
      for mode in peer.modes { seen.add(mode) }
      let source = peer.addSource(in: "common") { seen.add("\(peer.currentMode ?? "no")-item") }
      source.signal()
      peer.keepAlive("m")
      peer.turn(in: "m")
      peer.turn(in: "default")
    }
  }

  @Test func `CF 5: the current mode is that of the innermost run, is put back, and is nil outside`() {
    expectBoth("nil m inner m nil") { peer, seen in
      let tell: @Sendable () -> Void = { seen.add(peer.currentMode ?? "nil") }
      tell()
      peer.perform {
        tell()
        peer.perform(in: "inner", tell)
        peer.turn(in: "inner")
        tell()
      }
      peer.turn()
      tell()
    }
  }

  @Test func `CF 7: when a thread ends its sources are removed, and their cancel callbacks called on it`() {
    for isOurs in [true, false] {
      let calls = Record<Bool>()
      let own = Record<UInt>()
      TestThread {
        own.add(ThreadIdentity.current)
        let cancel: @Sendable () -> Void = { calls.add(own.all == [ThreadIdentity.current]) }
        if isOurs {
          let source = RunLoop.Source(onCancel: { _, _ in cancel() }) { _ in }
          for mode in [RunLoop.Mode.default, "m"] { RunLoop.current.add(source, to: mode) }
        } else {
          _ = CoreFoundationPeer().addSource(order: 0, in: ["default", "m"], onCancel: cancel) {}
        }
      }.join()
      #expect(calls.all == [true, true], isOurs ? "this loop" : "CFRunLoop")
    }
  }

  @Test func `CF 12: a run in an empty mode is finished and calls no observer, not even at entry`() {
    expectBoth("finished finished") { peer, seen in
      peer.observe(.all) { seen.add("\($0)") }
      seen.add(peer.turn())
      seen.add(peer.run(in: "never", for: nil, returning: false))
    }
  }

  @Test func `CF 15: entry, passes, exit, and a stop at entry ends the run before a pass, with exit`() {
    expectBoth("entry beforeTimers beforeSources exit timedOut entry exit stopped") { peer, seen in
      peer.keepAlive()
      peer.observe(.all) { seen.add("\($0)") }
      seen.add(peer.turn())
      peer.observe(.entry) { _ in peer.stop() }
      seen.add(peer.run(in: "m", for: .seconds(1000), returning: false))
    }
  }

  @Test
  func `CF 16: a limit of zero or less is one pass, one beyond counting is none, another is a deadline`() {
    expectBoth("pass timedOut pass timedOut pass timedOut stopped stopped timedOut") { peer, seen in
      peer.keepAlive()
      let observer = peer.observe(.beforeTimers) { _ in seen.add("pass") }
      for limit in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
        seen.add(peer.run(in: "m", for: limit, returning: false))
      }
      observer.invalidate()
      for limit in [nil, Duration.seconds(Int64.max)] {
        peer.addTimer(after: .milliseconds(2)) { peer.stop() }
        seen.add(peer.run(in: "m", for: limit, returning: false))
      }
      seen.add(peer.run(in: "m", for: .milliseconds(2), returning: false))
    }
  }

  @Test
  func `CF 17: the plain run goes on in the default mode, source after source, until stopped or finished`() {
    expectBoth("source default source default source default back source default back") { peer, seen in
      let signalled = Box<any PeerItem>()
      // CFRunLoop's sources keep what they hold when they are invalid, and this one would keep itself.
      defer { signalled.value = nil }
      let source = peer.addSource(in: "default") {
        seen.add("source \(peer.currentMode ?? "nil")")
        switch seen.count {
        case 1, 2: signalled.value?.signal()
        case 3: peer.stop()
        default: signalled.value?.invalidate()
        }
      }
      signalled.value = source
      for _ in 0..<2 {
        source.signal()
        peer.run()
        seen.add("back")
      }
    }
  }

  @Test func `CF 25: with a limit of zero all signalled sources and all due timers are served`() {
    expectBoth("s1 s2 s3 timer timer timedOut") { peer, seen in
      for number in 1...3 { peer.addSource(order: number) { seen.add("s\(number)") }.signal() }
      for _ in 0..<2 { peer.addTimer(after: .seconds(-1)) { seen.add("timer") } }
      peer.keepAlive()
      seen.add(peer.turn())
    }
  }

  @Test func `CF 27: a source counts as handled, timers and blocks do not`() {
    expectBoth("block timer timedOut source handledSource") { peer, seen in
      peer.keepAlive()
      peer.perform { seen.add("block") }
      peer.addTimer { seen.add("timer") }
      seen.add(peer.turn(returning: true))
      peer.addSource { seen.add("source") }.signal()
      seen.add(peer.turn(returning: true))
    }
    // A port and a descriptor source are this loop's version-1 sources.
    let virtual = VirtualRunLoop()
    let port = RunLoop.Port<Int> { _, _ in }
    virtual.loop.add(port, to: .default)
    port.send(1)
    #expect(virtual.loop.turn(returnAfterSourceHandled: true).reason == .handledSource)
    virtual.setReadiness(.read, of: 7)
    #expect(throws: Never.self) {
      try virtual.loop.add(RunLoop.DescriptorSource(7) { _, _ in }, to: .default)
    }
    #expect(virtual.loop.turn(returnAfterSourceHandled: true).reason == .handledSource)
  }

  @Test func `CF 36: a block runs once, in order among those that match, and the others keep their places`() {
    expectBoth("1 3 4 6 , 2 5 , . ,") { peer, seen in
      for (number, modes) in [["m"], ["other"], ["m"], ["other", "m"], ["other"], ["m", "third"]].enumerated()
      {
        peer.perform(in: modes) { seen.add("\(number + 1)") }
      }
      for mode in ["m", "other", "third"] { peer.keepAlive(mode) }
      peer.perform(in: "third") { seen.add(".") }
      for mode in ["m", "other", "third"] {
        peer.turn(in: mode)
        seen.add(",")
      }
    }
  }

  @Test func `CF 38: the mode of a block is always named, and default means the default mode alone`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    for mode in [RunLoop.Mode.default, .common] {
      loop.perform(in: mode) { seen.add("\(mode) in \(loop.currentMode!)") }
    }
    loop.turn(in: .tracking)
    #expect(seen.all == ["common in tracking"])
    loop.turn()
    #expect(seen.all == ["common in tracking", "default in default"])
  }

  @Test func `CF 40: blocks that a handled source queued run before the run returns`() {
    expectBoth("source block handledSource") { peer, seen in
      peer.addSource {
        seen.add("source")
        peer.perform { seen.add("block") }
      }.signal()
      seen.add(peer.turn(returning: true))
    }
  }

  @Test func `CF 43: a signal marks, several make one callout, and the mark stays while other modes run`() {
    expectBoth("other source , source") { peer, seen in
      let source = peer.addSource { seen.add("source") }
      for _ in 0..<3 { source.signal() }
      peer.perform(in: "other") { seen.add("other") }
      peer.turn(in: "other")
      peer.turn()
      peer.turn()
      seen.add(",")
      source.signal()
      peer.turn()
    }
    // Nor does it wake: of a real loop that could only be said after waiting for nothing.
    let virtual = VirtualRunLoop()
    let source = RunLoop.Source { _ in }
    virtual.loop.add(source, to: .default)
    virtual.at(.seconds(1)) { source.signal() }
    virtual.loop.run(in: .default, for: .seconds(2))
    #expect(virtual.passCount == 1)
    #expect(source.isSignalled)
  }

  @Test func `CF 44: by order number, then by first signal; with return after a source, only the first`() {
    expectBoth("low first second high , low handledSource first second high") { peer, seen in
      // Sources of one order number go in the order of their signals, whatever that of adding.
      let second = peer.addSource(order: 1) { seen.add("second") }
      let first = peer.addSource(order: 1) { seen.add("first") }
      let high = peer.addSource(order: 2) { seen.add("high") }
      let low = peer.addSource(order: -1) { seen.add("low") }
      let signalAll: @Sendable () -> Void = {
        for source in [high, first, second, first, low] { source.signal() }
      }
      signalAll()
      peer.turn()
      seen.add(",")
      signalAll()
      seen.add(peer.turn(returning: true))
      peer.turn()
    }
  }

  @Test func `CF 45: the mark goes before the callout, so that a source may signal itself and be re-entered`()
  {
    expectBoth("begin begin end end , begin begin end end") { peer, seen in
      let own = Box<any PeerItem>()
      defer { own.value = nil }
      let depth = Record<Int>()
      own.value = peer.addSource {
        seen.add("begin")
        depth.add(0)
        if depth.count == 1 {
          own.value?.signal()
          peer.turn()
          // For the next pass.
          own.value?.signal()
        } else if depth.count == 3 {
          own.value?.signal()
          peer.turn()
        }
        seen.add("end")
      }
      own.value?.signal()
      peer.turn()
      seen.add(",")
      peer.turn()
    }
  }

  @Test(arguments: ["block", "source", "timer", "entry", "beforeTimers", "beforeSources", "exit"])
  func `CF 75: nested runs from every callout, in the same mode and in another, with no lock held`(
    kind: String
  ) {
    let activities: [String: RunLoop.Activity] = [
      "entry": .entry, "beforeTimers": .beforeTimers, "beforeSources": .beforeSources, "exit": .exit,
    ]
    expectBoth("other same elsewhere") { peer, seen in
      let work: @Sendable () -> Void = {
        peer.perform(in: "other") { seen.add("other") }
        peer.turn(in: "other")
        peer.perform { seen.add("same") }
        peer.turn()
        // With a lock held this would not end.
        TestThread { peer.perform(in: "other") { seen.add("elsewhere") } }.join()
        peer.turn(in: "other")
      }
      for mode in ["m", "other"] { peer.keepAlive(mode) }
      switch kind {
      case "block": peer.perform(work)
      case "source": peer.addSource(work).signal()
      case "timer": peer.addTimer(work)
      default: peer.observe(activities[kind]!, repeats: false) { _ in work() }
      }
      peer.turn()
    }
  }
}
