@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct ReleasePoolTests {
  /// Says that it goes.
  private final class Thing: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  /// A loop with a pool in a mode, and what ended.
  private final class Stage: Sendable {
    let virtual = VirtualRunLoop()
    let pool = RunLoop.ReleasePool()
    let ended = Record<String>()

    init(in mode: RunLoop.Mode = .common) { virtual.loop.add(pool, to: mode) }

    var loop: RunLoop { virtual.loop }

    func push(_ name: String) {
      let ended = ended
      pool.push(Thing { ended.add(name) })
    }
  }

  @Test func `M54: what callouts push is kept until beforeWaiting and goes there, the last first`() {
    let stage = Stage()
    for name in ["a", "b", "c"] {
      stage.loop.perform(in: .default) {
        stage.push(name)
        #expect(stage.ended.isEmpty)
      }
    }
    stage.loop.add(
      RunLoop.Timer(after: .milliseconds(1)) { _ in #expect(stage.ended.count == 3) }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["c", "b", "a"])
    #expect(stage.pool.count == 0)
  }

  @Test func `M54: the pool is drained at exit, too`() {
    let stage = Stage()
    stage.loop.perform(in: .default) { stage.push("a") }
    // Neither waiting activity.
    stage.loop.turn()
    #expect(stage.ended.all == ["a"])
    stage.loop.add(
      RunLoop.Timer(after: .milliseconds(1)) { _ in
        stage.push("b")
        stage.loop.stop()
      }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["a", "b"])
  }

  @Test func `M54: a nested run has a pool of its own, drained at its own waits and exit`() {
    let stage = Stage()
    stage.loop.perform(in: .default) {
      stage.push("outer")
      stage.loop.perform(in: .tracking) { stage.push("inner") }
      stage.loop.add(
        RunLoop.Timer(after: .milliseconds(1)) { _ in stage.push("inner's last") }, to: .tracking)
      stage.loop.run(in: .tracking)
      #expect(stage.ended.all == ["inner", "inner's last"])
      stage.push("outer's last")
    }
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["inner", "inner's last", "outer's last", "outer"])
  }

  @Test func `M54: what a run pushed in a mode without the pool goes with the run around it`() {
    let stage = Stage()
    stage.loop.perform(in: .default) {
      stage.loop.perform(in: "elsewhere") { stage.push("a") }
      stage.loop.run(in: "elsewhere")
      #expect(stage.ended.isEmpty)
    }
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["a"])
  }

  @Test func `M54: what the end of an object pushes goes in the same drain`() {
    let stage = Stage()
    stage.loop.perform(in: .default) {
      stage.push("a")
      stage.pool.push(Thing { stage.push("b") })
    }
    let atWait = Record<Int>()
    stage.loop.add(
      RunLoop.Observer(.beforeWaiting, order: .max) { _, _ in atWait.add(stage.ended.count) }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["b", "a"])
    #expect(atWait.all == [2])
  }

  @Test func `M54: an observer, a batch and a source push as every callout does`() {
    let stage = Stage()
    let batch = RunLoop.Batch<Int> { _, _ in stage.push("batch") }
    stage.loop.add(batch, to: .default)
    batch.mark(1)
    stage.loop.add(RunLoop.Observer(.entry) { _, _ in stage.push("entry") }, to: .default)
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["batch", "entry"])
    batch.invalidate()
  }

  @Test func `M54: what is pushed outside runs goes at the first wait of the next`() {
    let stage = Stage()
    stage.push("a")
    stage.loop.perform(in: .default) { #expect(stage.ended.isEmpty) }
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["a"])
  }

  @Test func `M54: drain lets go of what the innermost run pushed`() {
    let stage = Stage()
    stage.loop.perform(in: .default) {
      stage.push("outer")
      stage.loop.perform(in: .default) {
        stage.push("inner")
        stage.pool.drain()
        #expect(stage.ended.all == ["inner"])
      }
      stage.loop.run(in: .default)
    }
    stage.loop.run(in: .default)
    #expect(stage.ended.all == ["inner", "outer"])
  }

  @Test func `M44, M54: an invalid pool, and one whose loop ends, keeps nothing`() {
    let stage = Stage()
    stage.push("a")
    stage.pool.invalidate()
    #expect(stage.ended.all == ["a"])
    let second = Stage()
    second.push("b")
    second.virtual.end()
    #expect(second.ended.all == ["b"])
  }

  @Test func `M54: pushing from another thread traps, and so does a pool without a loop`() async {
    await #expect(processExitsWith: .failure) {
      let virtual = VirtualRunLoop()
      let pool = RunLoop.ReleasePool()
      virtual.loop.add(pool, to: .default)
      virtual.loop.actingFromElsewhere { pool.push(pool) }
    }
    await #expect(processExitsWith: .failure) {
      let pool = RunLoop.ReleasePool()
      pool.push(pool)
    }
  }
}
