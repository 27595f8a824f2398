import Mainspring
import MainspringTesting
import Testing

/// The same runs as on swift-corelibs-foundation 6.3.1, whose CFRunLoop gave the lines below; where the rules differ on
/// purpose, both are written down.
@Suite struct CoreFoundationOrderTests {
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let seen = Record<String>()
    var loop: RunLoop { virtual.loop }

    init() {
      loop.add(RunLoop.Observer(.all) { [seen] _, activity in seen.add("\(activity)") }, to: "m")
    }

    func addSources() -> (RunLoop.Source, RunLoop.Source) {
      let (loop, seen) = (loop, seen)
      let second = RunLoop.Source(order: 1) { _ in
        seen.add("s1")
        loop.perform(in: "m") { seen.add("block-of-s1") }
      }
      let first = RunLoop.Source(order: 0) { _ in seen.add("s0") }
      loop.add(second, to: "m")
      loop.add(first, to: "m")
      return (first, second)
    }

    func addTimer() {
      let timer = RunLoop.Timer(at: virtual.now.advanced(by: .seconds(-1))) { [seen] _ in seen.add("timer") }
      loop.add(timer, to: "m")
    }

    func addBlock() { loop.perform(in: "m") { [seen] in seen.add("block") } }

    func run(for limit: Duration, returning: Bool = false) -> String {
      let result = loop.run(in: "m", for: limit, returnAfterSourceHandled: returning)
      defer { seen.clear() }
      return (seen.all + ["\(result.reason)"]).joined(separator: " ")
    }
  }

  @Test func `CF 12: a mode with an observer alone is empty`() {
    #expect(Stage().run(for: .zero) == "finished")
  }

  @Test func `CF 18, 20, 25: a polling pass with everything ready`() {
    let stage = Stage()
    let (first, second) = stage.addSources()
    stage.addTimer()
    second.signal()
    first.signal()
    stage.addBlock()
    #expect(
      stage.run(for: .zero)
        == "entry beforeTimers beforeSources block s0 s1 block-of-s1 timer exit timedOut")
  }

  @Test func `CF 18: a pass that waits, and another until the limit`() {
    let stage = Stage()
    _ = stage.addSources()
    stage.addBlock()
    stage.addTimer()
    #expect(
      stage.run(for: .milliseconds(10))
        == "entry beforeTimers beforeSources block beforeWaiting afterWaiting timer "
        + "beforeTimers beforeSources beforeWaiting afterWaiting exit timedOut")
  }

  @Test func `CF 44: with return after source one is performed and the other stays`() {
    let stage = Stage()
    let (first, second) = stage.addSources()
    second.signal()
    first.signal()
    #expect(
      stage.run(for: .seconds(1), returning: true) == "entry beforeTimers beforeSources s0 exit handledSource"
    )
    #expect(
      stage.run(for: .zero, returning: true)
        == "entry beforeTimers beforeSources s1 block-of-s1 exit handledSource")
  }

  @Test func `CF 71: a stop before the run: CFRunLoop forgets it, here it ends the run (M7)`() {
    let stage = Stage()
    _ = stage.addSources()
    stage.loop.stop()
    #expect(stage.run(for: .milliseconds(10)) == "stopped")
  }

  @Test func `CF 26: a stop in a block ends the run with its pass`() {
    let stage = Stage()
    let (first, _) = stage.addSources()
    let loop = stage.loop
    loop.perform(in: "m") { loop.stop() }
    #expect(
      stage.run(for: .seconds(1))
        == "entry beforeTimers beforeSources beforeWaiting afterWaiting exit stopped")
    first.signal()
    loop.perform(in: "m") { loop.stop() }
    #expect(stage.run(for: .seconds(1)) == "entry beforeTimers beforeSources s0 exit stopped")
  }
}
