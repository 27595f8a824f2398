import Glibc
import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// Ends of the user's objects are the user's code: they come when the last use is over, with no lock held.
@Suite struct ReleaseTests {
  /// A message whose end calls something.
  private final class Farewell: Sendable {
    private let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    deinit { call() }
  }

  @Test func `M30: a delivered message goes after its callout, and its end may send to the port`() {
    let virtual = VirtualRunLoop()
    let seen = Record<String>()
    let port = Box<RunLoop.Port<Farewell>>()
    let inbound = RunLoop.Port<Farewell> { _, _ in seen.add("message") }
    port.value = inbound
    virtual.loop.add(inbound, to: .default)
    for number in 0..<3 {
      inbound.send(
        Farewell {
          seen.add("end \(number)")
          if number < 2 { port.value!.send(Farewell {}) }
        })
    }
    virtual.loop.turn()
    #expect(seen.all.prefix(6) == ["message", "end 0", "message", "end 1", "message", "end 2"])
    #expect(seen.count == 8, "those that the ends sent came as well")
    inbound.invalidate()
  }

  @Test func `M30: messages that an invalidation drops end with no lock held`() {
    let virtual = VirtualRunLoop()
    let counts = Record<Int>()
    let port = RunLoop.Port<Farewell> { _, _ in }
    virtual.loop.add(port, to: .default)
    for _ in 0..<3 { port.send(Farewell { [unowned port] in counts.add(port.count) }) }
    port.invalidate()
    #expect(counts.all == [0, 0, 0])
  }

  @Test func `M38: the end of what a block, a handler or a change holds may use the loop`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let reenter: @Sendable (String) -> Farewell = { name in
      Farewell { [unowned loop] in
        seen.add(name)
        let timer = RunLoop.Timer(after: .zero) { _ in seen.add("timer") }
        loop.add(timer, to: .default)
        loop.perform(in: [.default, .common]) { seen.add("block") }
        loop.turn()
        timer.invalidate()
      }
    }
    let fromBlock = Box(reenter("from block"))
    loop.perform(in: .default) { fromBlock.value = nil }
    let fromTimer = Box(reenter("from timer"))
    loop.add(RunLoop.Timer(after: .zero) { _ in fromTimer.value = nil }, to: .default)
    loop.turn()
    loop.actingFromElsewhere {
      let held = reenter("from change")
      loop.update { _ in _ = held }
    }
    loop.turn()
    #expect(seen.all.count { $0 == "block" } == 3)
    #expect(seen.all.count { $0 == "timer" } == 3)
  }

  @Test func `M44: a port of an ended loop refuses every message, waiting ones or not, and keeps none`() {
    for isMember in [true, false] {
      let ended = Record<Int>()
      let port = RunLoop.Port<Farewell> { _, _ in }
      TestThread {
        RunLoop.current.add(port, to: .default)
        if !isMember { RunLoop.current.remove(port, from: .default) }
        port.send(Farewell { ended.add(0) })
      }.join()
      for number in 1...3 { #expect(port.send(Farewell { ended.add(number) }) == .closed) }
      #expect(ended.all.sorted() == [0, 1, 2, 3])
    }
  }

  @Test func `M25: an item that an ended loop refused can be another's`() {
    let ended = Box<RunLoop>()
    TestThread { ended.value = RunLoop.current }.join()
    let virtual = VirtualRunLoop()
    let timer = RunLoop.Timer(after: .zero) { _ in }
    #expect(!ended.value!.add(timer, to: .default))
    #expect(virtual.loop.add(timer, to: .default))
    virtual.loop.turn()
    #expect(!timer.isValid)
  }

  @Test
  func
    `M38: an observer that was removed goes, also where its mode does not run again, and so does its loop`()
  {
    let flags = [ReleaseFlag(), ReleaseFlag()]
    TestThread {
      let loop = RunLoop.current
      let observers = flags.map { flag in
        let token = ReleaseToken(flag)
        return RunLoop.Observer(.all) { _, _ in token.touch() }
      }
      for observer in observers { loop.add(observer, to: .default) }
      loop.turn()
      loop.remove(observers[0], from: .default)
      loop.add(RunLoop.Timer(after: .zero) { _ in }, to: "other")
    }.join()
    #expect(flags.map(\.isRaised) == [true, true])
  }
}
