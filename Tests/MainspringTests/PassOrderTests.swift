import Mainspring
import MainspringTesting
import Testing

@Suite struct PassOrderTests {
  @Test func `M1: a pass that waits calls everybody in CFRunLoop's order`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let source = RunLoop.Source { _ in loop.perform(in: .default) {} }
    loop.add(source, to: .default)
    loop.add(RunLoop.Timer(after: .milliseconds(5)) { _ in loop.perform(in: .default) {} }, to: .default)
    loop.perform(in: .default) {}
    source.signal()
    let result = loop.run(in: .default, for: .milliseconds(5))
    #expect(result.reason == .timedOut)
    #expect(
      virtual.trace.phases == [
        "entry",
        "beforeTimers", "beforeSources", "block", "source", "block",
        "beforeTimers", "beforeSources", "beforeWaiting", "waiting", "afterWaiting", "timer", "block",
        "exit",
      ])
  }
}
