import CGLib
import Mainspring
import MainspringGLib
import Testing

/// A Mainspring loop as a source of a context of GLib's.
@Suite struct GLibSourceTests {
  @Test func `M61: what is in the loop is called by GLib's`() {
    onOwnThread { loop, context in
      let source = try GLibSource(of: loop, in: context)
      let (beats, blocks, messages) = (Counter(), Counter(), Counter())
      loop.add(
        RunLoop.Timer(every: .milliseconds(1)) { if beats.add() == 10 { $0.invalidate() } }, to: .default)
      let port = RunLoop.Port<Int> { _, _ in messages.add() }
      loop.add(port, to: .common)
      let thread = try RunLoopThread(named: "sends")
      for _ in 0..<100 {
        thread.perform {
          loop.perform(in: .default) { blocks.add() }
          port.send(1)
        }
      }
      context.iterate { beats.value == 10 && blocks.value == 100 && messages.value == 100 }
      thread.stop()
      source.invalidate()
      #expect(!loop.isHosted)
    }
  }

  @Test func `M61: it takes turns with GLib's own sources`() {
    onOwnThread { loop, context in
      let source = try GLibSource(of: loop, in: context)
      let (theirs, ours) = (Counter(), Counter())
      context.addTimeout(1) { theirs.add() < 10 }
      let again = RunLoop.Source { if ours.add() < 10_000 { $0.signal() } }
      loop.add(again, to: .default)
      again.signal()
      context.iterate { theirs.value == 10 && ours.value == 10_000 }
      source.invalidate()
    }
  }

  @Test func `M61: a loop of GLib's that a callout runs goes on with it`() {
    onOwnThread { loop, context in
      let source = try GLibSource(of: loop, in: context)
      let (inner, done) = (Counter(), Counter())
      loop.perform(in: .default) {
        loop.add(
          RunLoop.Timer(every: .milliseconds(1)) { if inner.add() == 5 { $0.invalidate() } }, to: .default)
        context.iterate { inner.value == 5 }
        done.add()
      }
      context.iterate { done.value == 1 }
      source.invalidate()
    }
  }

  @Test func `M61: a stop is told, for GLib's loop to end`() {
    onOwnThread { loop, context in
      let stops = Counter()
      let source = try GLibSource(of: loop, in: context) { stops.add() }
      loop.perform(in: .default) { loop.stop() }
      context.iterate { stops.value == 1 }
      // It goes on, if the host does.
      let blocks = Counter()
      loop.perform(in: .default) { blocks.add() }
      context.iterate { blocks.value == 1 }
      source.invalidate()
    }
  }
}
