import Glibc
import Mainspring
import MainspringTesting
import Testing

/// A loop of others as the guest of this one.
@Suite struct HostedLoopTests {
  /// A foreign loop that asks for what it is told to, and writes down what it is called for.
  private final class Foreign: Sendable {
    let asked = Box(RunLoop.HostedLoop.Wait())
    let seen = Record<String>()
    let inDispatch = Box<@Sendable () -> Void>()

    func item(nests: Bool = false) -> RunLoop.HostedLoop {
      RunLoop.HostedLoop(nests: nests) { wait in
        self.seen.add("prepare")
        wait = self.asked.value!
      } dispatch: { _, ready in
        let parts = ready.map { "\($0.descriptor) \($0.readiness)" }.sorted()
        self.seen.add((["dispatch"] + parts).joined(separator: ", "))
        self.inDispatch.value?()
      }
    }

    func ask(_ change: (inout RunLoop.HostedLoop.Wait) -> Void) {
      var wait = RunLoop.HostedLoop.Wait()
      change(&wait)
      asked.value = wait
    }
  }

  @Test func `M62: it is asked before the sleep, and called once for all that was found together`() {
    let virtual = VirtualRunLoop()
    let foreign = Foreign()
    foreign.ask {
      $0.watch(7, for: .read)
      $0.watch(8, for: [.read, .write])
    }
    foreign.inDispatch.value = { foreign.ask { $0.watch(9, for: .read) } }
    virtual.loop.add(foreign.item(), to: .default)
    virtual.at(.milliseconds(5)) {
      virtual.setReadiness(.read, of: 7)
      virtual.setReadiness(.write, of: 8)
    }
    virtual.loop.run(in: .default, for: .milliseconds(10))
    #expect(foreign.seen.all == ["prepare", "dispatch, 7 read, 8 write", "prepare"])
  }

  @Test func `M62: it is called at its date, which is no other's afterwards`() {
    let virtual = VirtualRunLoop()
    let foreign = Foreign()
    let start = virtual.now
    foreign.ask { $0.end(at: start.advanced(by: .milliseconds(3))) }
    let dates = Record<Duration>()
    foreign.inDispatch.value = {
      dates.add(start.duration(to: virtual.now))
      foreign.ask { _ in }
    }
    virtual.loop.add(foreign.item(), to: .default)
    virtual.loop.run(in: .default, for: .milliseconds(10))
    #expect(foreign.seen.all == ["prepare", "dispatch", "prepare"])
    #expect(dates.all == [.milliseconds(3)])
    #expect(virtual.sleepCount == 2)
  }

  @Test func `M62: one that has work already is called without a sleep, and keeps no timer from its turn`() {
    let virtual = VirtualRunLoop()
    let foreign = Foreign()
    foreign.ask { $0.end(afterPolling: 0) }
    foreign.inDispatch.value = {
      virtual.spend(.milliseconds(1))
      if foreign.seen.count >= 20 { foreign.ask { $0.end(afterPolling: -1) } }
    }
    virtual.loop.add(foreign.item(), to: .default)
    let fired = Record<Int>()
    virtual.loop.add(
      RunLoop.Timer(every: .milliseconds(2)) { _ in fired.add(foreign.seen.count) }, to: .default)
    virtual.loop.run(in: .default, for: .milliseconds(15))
    #expect(fired.count >= 7)
    #expect(foreign.seen.all.first == "prepare" && foreign.seen.all.last == "prepare")
  }

  @Test func `M62: a nested run goes on with one that nests, and leaves another alone and sleeps`() {
    for nests in [false, true] {
      let virtual = VirtualRunLoop()
      let foreign = Foreign()
      foreign.ask { $0.watch(7, for: .read) }
      virtual.setReadiness(.read, of: 7)
      let item = foreign.item(nests: nests)
      let sleeps = Record<Int>()
      let inNested: @Sendable () -> Void = { foreign.ask { _ in } }
      foreign.inDispatch.value = {
        foreign.inDispatch.value = nests ? inNested : nil
        let before = virtual.sleepCount
        virtual.loop.run(in: .default, for: .milliseconds(4))
        sleeps.add(virtual.sleepCount - before)
        foreign.ask { _ in }
      }
      virtual.loop.add(item, to: .default)
      virtual.loop.run(in: .default, for: .milliseconds(20))
      let nested = foreign.seen.all.filter { $0.hasPrefix("dispatch") }.count
      #expect(nested == (nests ? 2 : 1))
      #expect(sleeps.all == [1])
    }
  }

  @Test func `M62: in other modes it is left alone; its modes are those that it was added to`() {
    let virtual = VirtualRunLoop()
    let foreign = Foreign()
    foreign.ask { $0.watch(7, for: .read) }
    virtual.setReadiness(.read, of: 7)
    let item = foreign.item()
    virtual.loop.add(item, to: .tracking)
    virtual.loop.run(in: .default, for: .milliseconds(1), whenEmpty: .wait)
    #expect(foreign.seen.isEmpty)
    virtual.loop.run(in: .tracking, for: .milliseconds(1), returnAfterSourceHandled: true)
    #expect(foreign.seen.count >= 2)
    item.invalidate()
    #expect(virtual.loop.run(in: .tracking).reason == .finished)
  }

  @Test(arguments: [RunLoop.Readiness(), .hangUp, [.hangUp, .error]])
  func `M62: of an error or a hang-up it hears also where nothing else is asked for`(
    _ asked: RunLoop.Readiness
  ) {
    onOwnThread { loop in
      let pipe = Pipe()
      let seen = Record<RunLoop.Readiness>()
      let item = RunLoop.HostedLoop {
        $0.watch(pipe.readEnd, for: asked)
      } dispatch: { item, ready in
        for found in ready { seen.add(found.readiness) }
        item.invalidate()
      }
      loop.add(item, to: .default)
      // What can be read does not end the wait.
      pipe.fill()
      loop.perform(in: .default, after: .milliseconds(1)) { pipe.closeWriteEnd() }
      #expect(loop.run(in: .default, for: .seconds(60)).reason == .finished)
      #expect(seen.all == [.hangUp])
    }
  }

  @Test func `M62: a descriptor that was closed and opened anew between two sleeps is waited for`() {
    onOwnThread { loop in
      let first = Pipe()
      let (number, seen) = (first.readEnd, Record<Int>())
      let item = RunLoop.HostedLoop {
        $0.watch(number, for: .read)
      } dispatch: { item, _ in
        seen.add(1)
        first.drain()
        if seen.count == 2 { return item.invalidate() }
        // Another file of the same number, of which the kernel's set knows nothing.
        let second = Pipe()
        #expect(dup2(second.readEnd, number) == number)
        loop.perform(in: .default, after: .milliseconds(1)) { second.fill() }
      }
      loop.add(item, to: .default)
      first.fill()
      let result = loop.run(in: .default, for: .seconds(60))
      #expect(result.reason == .finished && seen.count == 2)
    }
  }

  @Test func `M62: it may end itself in its callout, and what its closures hold is freed`() {
    let virtual = VirtualRunLoop()
    weak var held: Foreign?
    do {
      let foreign = Foreign()
      held = foreign
      foreign.ask { $0.endAtOnce() }
      let box = Box(foreign.item())
      foreign.inDispatch.value = {
        box.value?.invalidate()
        box.value = nil
        foreign.inDispatch.value = nil
      }
      virtual.loop.add(box.value!, to: .common)
      #expect(virtual.loop.run().reason == .finished)
    }
    #expect(held == nil)
  }

  @Test func `M61, M62: a loop that hosts another may be hosted itself`() {
    onOwnThread { loop in
      let (pipe, seen) = (Pipe(), Record<String>())
      let item = RunLoop.HostedLoop {
        $0.watch(pipe.readEnd, for: .read)
      } dispatch: { _, ready in
        pipe.drain()
        seen.add("\(ready[0].readiness)")
      }
      loop.add(item, to: .common)
      try loop.withHost { host in
        for count in 1...3 {
          pipe.fill()
          host.serve { seen.count == count }
        }
        #expect(!host.isReadable)
      }
      #expect(seen.all == ["read", "read", "read"])
      item.invalidate()
    }
  }
}
