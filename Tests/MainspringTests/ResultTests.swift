import Mainspring
import MainspringTesting
import Testing

@Suite struct ResultTests {
  /// A loop with a source that is signalled and does something when it is performed.
  private func loopWithSource(
    _ virtual: VirtualRunLoop, doing work: @escaping @Sendable (RunLoop) -> Void
  ) -> RunLoop {
    let loop = virtual.loop
    let source = RunLoop.Source { _ in work(loop) }
    loop.add(source, to: .default)
    source.signal()
    return loop
  }

  @Test func `M6: a run that nothing else ends times out`() {
    let virtual = VirtualRunLoop()
    let begin = virtual.now
    let result = virtual.loop.run(in: .default, for: .seconds(3), whenEmpty: .wait)
    #expect(result == RunLoop.RunResult(.timedOut, handledSource: false))
    #expect(begin.duration(to: virtual.now) == .seconds(3))
  }

  @Test func `M6: a handled source ends a run only where that was asked for`() {
    let virtual = VirtualRunLoop()
    let loop = loopWithSource(virtual) { _ in }
    #expect(
      loop.run(in: .default, for: .seconds(1))
        == RunLoop.RunResult(.timedOut, handledSource: true))
    let other = VirtualRunLoop()
    #expect(
      loopWithSource(other) { _ in }.run(in: .default, for: .seconds(1), returnAfterSourceHandled: true)
        == RunLoop.RunResult(.handledSource, handledSource: true))
    #expect(other.sleepCount == 0)
  }

  @Test func `M6: a stop wins over a handled source, and the result tells of both (CF 26)`() {
    let virtual = VirtualRunLoop()
    let loop = loopWithSource(virtual) { $0.stop() }
    #expect(
      loop.run(in: .default, for: .seconds(1), returnAfterSourceHandled: true)
        == RunLoop.RunResult(.stopped, handledSource: true))
  }

  @Test func `M6: a stop wins over a deadline that has passed`() {
    let virtual = VirtualRunLoop()
    let loop = loopWithSource(virtual) {
      virtual.spend(.seconds(2))
      $0.stop()
    }
    #expect(
      loop.run(in: .default, for: .seconds(1)) == RunLoop.RunResult(.stopped, handledSource: true))
  }

  @Test func `M6: a handled source wins over a deadline that has passed`() {
    let virtual = VirtualRunLoop()
    let loop = loopWithSource(virtual) { _ in virtual.spend(.seconds(2)) }
    #expect(
      loop.run(in: .default, for: .seconds(1), returnAfterSourceHandled: true).reason == .handledSource)
  }

  @Test func `M6: a deadline that has passed wins over an empty mode`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) { virtual.spend(.seconds(2)) }
    #expect(loop.run(in: .default, for: .seconds(1)).reason == .timedOut)
  }

  @Test func `M6: sources, ports and descriptors count as handled, timers and blocks do not (CF 27)`() throws
  {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.perform(in: .default) {}
    loop.add(RunLoop.Timer(after: .zero) { _ in }, to: .default)
    #expect(loop.turn(returnAfterSourceHandled: true).handledSource == false)
    let port = RunLoop.Port<Int> { _, _ in }
    loop.add(port, to: .default)
    port.send(1)
    #expect(loop.turn(returnAfterSourceHandled: true).handledSource)
    virtual.setReadiness(.read, of: 7)
    try loop.add(RunLoop.DescriptorSource(7) { _, _ in }, to: .default)
    #expect(loop.turn(returnAfterSourceHandled: true).handledSource)
  }

  @Test func `M6: blocks that the handled source queued are performed before the return (CF 40)`() {
    let done = Record<Int>()
    let virtual = VirtualRunLoop()
    let loop = loopWithSource(virtual) { $0.perform(in: .default) { done.add(1) } }
    #expect(loop.run(in: .default, returnAfterSourceHandled: true).reason == .handledSource)
    #expect(done.count == 1)
  }

  @Test func `M6: the reason is decided at the end of a pass, not in the middle`() {
    let virtual = VirtualRunLoop()
    let loop = loopWithSource(virtual) { $0.stop() }
    let fired = Record<Int>()
    loop.add(RunLoop.Timer(after: .zero) { _ in fired.add(1) }, to: .default)
    #expect(loop.run(in: .default).reason == .stopped)
    #expect(fired.count == 1)
  }
}
