import Mainspring
import MainspringTesting
import Testing

@Suite struct ContentsTests {
  @Test func `M48: a loop says whether it ever ran, and what was added before that is seen`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(!loop.hasRun)
    loop.add(RunLoop.Timer(after: .seconds(1)) { _ in }, to: .default)
    #expect(!loop.hasRun)
    #expect(loop.contents(of: .default).timers == 1)
    #expect(loop.debugDescription.contains("never run"))
    loop.turn()
    #expect(loop.hasRun)
    #expect(!loop.debugDescription.contains("never run"))
  }

  @Test func `M48: contents count each kind, with the common modes' part in a common mode`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.contents(of: .default) == RunLoop.Contents())
    let observer = RunLoop.Observer(.entry) { _, _ in }
    loop.add(observer, to: .default)
    #expect(loop.contents(of: .default).isEmpty, "an observer calls nobody by itself")
    loop.add(RunLoop.Source { _ in }, to: .default)
    loop.add(RunLoop.Timer(rearmable: ()) { _ in }, to: .common)
    loop.add(RunLoop.Port<Int> { _, _ in }, to: .common)
    try loop.add(RunLoop.DescriptorSource(3) { _, _ in }, to: "own")
    loop.perform(in: .common) {}
    loop.perform(in: .default) {}
    var expected = RunLoop.Contents()
    expected.sources = 1
    expected.ports = 1
    expected.timers = 1
    expected.observers = 1
    expected.blocks = 2
    expected.isEmpty = false
    #expect(loop.contents(of: .default) == expected)
    #expect(loop.contents(of: .common).blocks == 1)
    #expect(loop.contents(of: .common).sources == 0)
    #expect(loop.contents(of: "own").descriptorSources == 1)
    #expect(loop.contents(of: "own").ports == 0, "not a common mode")
  }

  @Test func `CF 6: a loop is waiting while it sleeps, and neither in callouts nor outside runs`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let seen = Record<String>()
    loop.perform(in: .default) { seen.add("block \(loop.isWaiting)") }
    loop.add(
      RunLoop.Observer([.beforeWaiting, .afterWaiting]) { _, activity in
        seen.add("\(activity) \(loop.isWaiting)")
      },
      to: .default)
    virtual.at(.seconds(1)) { seen.add("asleep \(loop.isWaiting)") }
    #expect(!loop.isWaiting)
    loop.run(in: .default, for: .seconds(2), whenEmpty: .wait)
    #expect(!loop.isWaiting)
    #expect(
      seen.all == ["block false", "beforeWaiting false", "asleep true", "afterWaiting false"])
  }
}
