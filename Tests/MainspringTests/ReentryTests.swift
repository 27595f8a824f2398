import Mainspring
import MainspringTesting
import Testing

/// Runs of the loop from within callouts and from within the ends of the user's objects, which are callouts as well.
@Suite struct ReentryTests {
  /// Calls something as it goes.
  private final class Farewell: Sendable {
    private let call: @Sendable () -> Void
    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    deinit { call() }
  }

  @Test(arguments: [true, false])
  func `M38: an observer that a run inside another's callout takes out goes with the outer pass`(
    isInvalidated: Bool
  ) {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let victim = Box<RunLoop.Observer>()
    let taker = RunLoop.Observer(.beforeTimers) { _, _ in
      guard victim.value != nil else { return }
      loop.perform(in: "inner") {
        if isInvalidated { victim.value!.invalidate() } else { loop.remove(victim.value!, from: .default) }
        victim.value = nil
      }
      loop.turn(in: "inner")
      loop.turn(in: "inner")
      seen.add("taken out")
    }
    loop.add(taker, to: .default)
    let farewell = Box(Farewell { seen.add("gone") })
    victim.value = RunLoop.Observer(.beforeTimers) { [held = farewell.value!] _, _ in
      withExtendedLifetime(held) { seen.add("called") }
    }
    farewell.value = nil
    loop.add(victim.value!, to: .default)
    loop.turn()
    #expect(seen.all == (isInvalidated ? ["gone", "taken out"] : ["taken out", "gone"]))
    taker.invalidate()
  }

  @Test
  func `M11: a run in the end of an item that left with the outer run waits for nothing of the outer's`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let token = RunLoop.Token()
    let results = Record<RunLoop.RunResult>()
    let victim = Box<RunLoop.Item>()
    victim.value = RunLoop.Observer(.entry) {
      [farewell = Farewell { results.add(loop.run(in: "inner", for: .seconds(1), whenEmpty: .wait)) }] _, _ in
      withExtendedLifetime(farewell) {}
    }
    loop.add(victim.value!, to: .default)
    loop.add(
      RunLoop.Observer(.exit) { observer, _ in
        if let item = victim.value { loop.remove(item, from: .default) }
        victim.value = nil
        observer.invalidate()
      }, to: .default)
    token.signal()
    #expect(loop.run(until: token).reason == .signalled)
    #expect(results.all.map(\.reason) == [.timedOut])
  }

  @Test func `M38: a source that is invalidated as it is told that it leaves a mode frees its closures`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let flag = ReleaseFlag()
    let source = RunLoop.Source(
      onCancel: { source, _ in source.invalidate() },
      perform: { [token = ReleaseToken(flag)] _ in token.touch() })
    loop.add(source, to: .default)
    loop.remove(source, from: .default)
    #expect(flag.isRaised)
    withExtendedLifetime(source) {}
  }

  @Test func `M26: a message's end may take the port out, and then the next is not delivered`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = Box<RunLoop.Port<Farewell>>()
    port.value = RunLoop.Port<Farewell> { _, _ in seen.add("message") }
    loop.add(port.value!, to: .default)
    port.value!.send(
      Farewell {
        seen.add("end")
        loop.remove(port.value!, from: .default)
      })
    port.value!.send(Farewell {})
    loop.turn()
    #expect(seen.all == ["message", "end"])
    port.value!.invalidate()
  }

  @Test func `M13: a message's end may run the loop, which delivers the next`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    let port = RunLoop.Port<Farewell> { _, _ in seen.add("message") }
    loop.add(port, to: .default)
    port.send(
      Farewell {
        loop.turn()
        seen.add("ran")
      })
    port.send(Farewell { seen.add("end") })
    loop.turn()
    #expect(seen.all == ["message", "message", "end", "ran"])
    port.invalidate()
  }
}
