import Mainspring
import MainspringTesting
import Testing

/// Facts about observers, timers and common modes that CFRunLoop and this loop have in common: each is asked of both.
@Suite struct KeptItemTests {
  @Test func `CF 31: observers go by order number, equal ones in the order of adding`() {
    expectBoth("low first second third high") { peer, seen in
      peer.keepAlive()
      for (name, order) in [("high", 7), ("first", 0), ("second", 0), ("low", -7), ("third", 0)] {
        peer.observe(.beforeTimers, order: order) { _ in seen.add(name) }
      }
      peer.turn()
    }
  }

  @Test func `CF 33: a nested run does not re-enter an observer, others are called there`() {
    expectBoth("nesting other other") { peer, seen in
      peer.keepAlive()
      peer.observe(.beforeTimers, order: 1) { _ in
        seen.add("nesting")
        peer.turn()
      }
      peer.observe(.beforeTimers, order: 2) { _ in seen.add("other") }
      peer.turn()
    }
  }

  @Test func `CF 34: an observer that does not repeat ends with its first call, whatever it listens to`() {
    expectBoth("true beforeTimers false") { peer, seen in
      peer.keepAlive()
      let observer = peer.observe([.beforeTimers, .beforeSources], repeats: false) { seen.add("\($0)") }
      seen.add("\(observer.isValid)")
      peer.turn()
      peer.turn()
      seen.add("\(observer.isValid)")
    }
  }

  @Test func `CF 35: an observer may be in any number of modes of one loop; an invalid one is not added`() {
    expectBoth("a b , false") { peer, seen in
      for mode in ["a", "b", "c"] { peer.keepAlive(mode) }
      let observer = peer.observe(.entry, repeats: true, order: 0, in: ["a", "b"]) { _ in
        seen.add(peer.currentMode ?? "nil")
      }
      for mode in ["a", "b", "c"] { peer.turn(in: mode) }
      seen.add(",")
      observer.invalidate()
      observer.add(to: "c")
      peer.turn(in: "c")
      seen.add("\(observer.isMember(of: "c"))")
    }
  }

  @Test
  func `CF 58: due timers fire in the order of their dates, and one made due meanwhile in the next pass`() {
    expectBoth("past1 past2 early late , added moved") { peer, seen in
      let moved = peer.addTimer(after: .seconds(1000)) { seen.add("moved") }
      peer.addTimer(after: .milliseconds(22)) { seen.add("late") }
      peer.addTimer(after: .milliseconds(21)) { seen.add("early") }
      peer.addTimer(after: .seconds(-1)) {
        seen.add("past1")
        peer.addTimer(after: .seconds(-1)) { seen.add("added") }
        moved.setDate(after: .seconds(-1))
      }
      // A past date means now: in the order of adding.
      peer.addTimer(after: .seconds(-1)) { seen.add("past2") }
      peer.spend(.milliseconds(23))
      peer.turn()
      seen.add(",")
      peer.turn()
    }
  }

  @Test func `CF 60: a timer is not re-entered by a nested run in its callout, where others fire`() {
    expectBoth("begin other end , begin other end") { peer, seen in
      let ends = Record<Int>()
      peer.addTimer(every: .milliseconds(1)) {
        seen.add("begin")
        peer.addTimer { seen.add("other") }
        // Several intervals: due again, were it not on.
        peer.spend(.milliseconds(3))
        peer.turn()
        seen.add("end")
        ends.add(0)
      }
      peer.turn()
      seen.add(",")
      peer.spend(.milliseconds(2))
      peer.turn()
    }
  }

  @Test func `CF 60: nor does it arm the wait of a run that is nested in its callout`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let sleeps = Record<Int>()
    loop.add(
      RunLoop.Timer(every: .seconds(1)) { timer in
        let before = virtual.sleepCount
        loop.run(in: .default, for: .seconds(7), whenEmpty: .wait)
        sleeps.add(virtual.sleepCount - before)
        timer.invalidate()
      }, to: .default)
    loop.run(in: .default)
    #expect(sleeps.all == [1])
  }

  @Test func `CF 63: the grid of a date in the past counts from the making, not from the date`() {
    expectBoth("fired 1000") { peer, seen in
      let timer = peer.addTimer(after: .seconds(-300), every: .seconds(1000)) { seen.add("fired") }
      peer.turn()
      seen.add("\(timer.secondsUntilDue ?? 0)")
    }
  }

  @Test
  func `CF 64: in its callout a timer's date is the old one, after it the next, of an invalid one none`() {
    expectBoth("100 fired 0 100 none") { peer, seen in
      let own = Box<any PeerItem>()
      let tell: @Sendable () -> Void = { seen.add(own.value!.secondsUntilDue.map { "\($0)" } ?? "none") }
      let timer = peer.addTimer(after: .seconds(100), every: .seconds(100)) {
        seen.add("fired")
        tell()
      }
      own.value = timer
      tell()
      timer.setDate(after: .zero)
      peer.turn()
      tell()
      timer.invalidate()
      tell()
    }
  }

  @Test func `CF 66: a timer has one date in all its modes, and an invalid one is not added`() {
    expectBoth("a b , false") { peer, seen in
      for mode in ["a", "b", "c"] { peer.keepAlive(mode) }
      let timer = peer.addTimer(after: .zero, every: .seconds(1000), in: ["a", "b"]) {
        seen.add(peer.currentMode ?? "nil")
      }
      // Fired in one it has fired in all, and moved in one it has moved in all.
      for mode in ["a", "b"] { peer.turn(in: mode) }
      timer.setDate(after: .zero)
      for mode in ["b", "a"] { peer.turn(in: mode) }
      seen.add(",")
      timer.invalidate()
      timer.add(to: "c")
      seen.add("\(timer.isMember(of: "c"))")
    }
  }

  @Test func `CF 68: invalidating removes from all modes and releases what the handler holds`() {
    expectBoth("true true false , false false true false") { peer, seen in
      let flag = ReleaseFlag()
      let timer = { (token: ReleaseToken) in
        peer.addTimer(after: .seconds(1000), every: nil, in: ["a", "b"]) { token.touch() }
      }(ReleaseToken(flag))
      for mode in ["a", "b"] { seen.add("\(timer.isMember(of: mode))") }
      seen.add("\(flag.isRaised)")
      seen.add(",")
      timer.invalidate()
      for mode in ["a", "b"] { seen.add("\(timer.isMember(of: mode))") }
      seen.add("\(flag.isRaised)")
      seen.add("\(timer.isValid)")
    }
  }

  @Test func `CF 68: invalidating from another thread does not wait for a callout that is on`() {
    expectBoth("begin invalidated end") { peer, seen in
      let own = Box<any PeerItem>()
      own.value = peer.addTimer {
        seen.add("begin")
        // If it waited for this callout, this callout would wait for ever.
        TestThread {
          own.value?.invalidate()
          seen.add("invalidated")
        }.join()
        seen.add("end")
      }
      peer.turn()
    }
  }

  @Test
  func `CF 77: what is added to common is in every common mode, those included that become common later`() {
    expectBoth("default , later") { peer, seen in
      for mode in ["default", "later", "other"] { peer.keepAlive(mode) }
      let source = peer.addSource(in: "common") { seen.add(peer.currentMode ?? "nil") }
      for mode in ["later", "other", "default"] {
        source.signal()
        peer.turn(in: mode)
      }
      seen.add(",")
      peer.addCommonMode("later")
      source.signal()
      peer.turn(in: "other")
      peer.turn(in: "later")
    }
  }

  @Test func `CF 78: removing from common removes from all of them, also where it was added by hand`() {
    expectBoth("false false true , false true , false") { peer, seen in
      peer.addCommonMode("later")
      let source = peer.addSource(order: 0, in: ["default", "own", "common"], onCancel: nil) {}
      source.remove(from: "common")
      for mode in ["default", "later", "own"] { seen.add("\(source.isMember(of: mode))") }
      seen.add(",")
      // Taken out of one it stays in the others, and making that one common again does not bring it back.
      let other = peer.addSource(in: "common") {}
      other.remove(from: "default")
      peer.addCommonMode("default")
      for mode in ["default", "later"] { seen.add("\(other.isMember(of: mode))") }
      seen.add(",")
      other.remove(from: "common")
      seen.add("\(other.isMember(of: "later"))")
    }
  }
}

/// What CFRunLoop does for some kinds of items, and this loop for all.
@Suite struct AddingFromElsewhereTests {
  enum Kind: CaseIterable { case source, timer, port, descriptor, block }

  @Test(arguments: Kind.allCases)
  func `CF 54: whatever is added from elsewhere is seen by a loop that sleeps already`(kind: Kind) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let begin = virtual.now
    let served = Record<Duration>()
    let serve: @Sendable () -> Void = {
      served.add(begin.duration(to: virtual.now))
      loop.stop()
    }
    virtual.at(.seconds(1)) {
      switch kind {
      case .source:
        let source = RunLoop.Source { _ in serve() }
        source.signal()
        loop.add(source, to: .default)
      case .timer: loop.add(RunLoop.Timer(after: .seconds(-1)) { _ in serve() }, to: .default)
      case .port:
        let port = RunLoop.Port<Int> { _, _ in serve() }
        port.send(1)
        loop.add(port, to: .default)
      case .descriptor:
        virtual.setReadiness(.read, of: 7)
        try? loop.add(RunLoop.DescriptorSource(7) { _, _ in serve() }, to: .default)
      case .block: loop.perform(in: .default, serve)
      }
    }
    loop.run(in: .default, for: .seconds(9), whenEmpty: .wait)
    #expect(served.all == [.seconds(1)])
    virtual.end()
  }
}
