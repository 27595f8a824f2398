import CGLib
import Glibc
import Mainspring
import MainspringGLib
import Testing

/// A context of GLib's as the guest of a Mainspring loop.
@Suite struct HostedContextTests {
  @Test func `M62: time-outs, idle sources and descriptors of GLib's are called by the loop`() {
    onOwnThread { loop, context in
      var ends: [CInt] = [0, 0]
      unsafe pipe(&ends)
      let (readEnd, writeEnd) = (ends[0], ends[1])
      let (timeouts, idles, bytes) = (Counter(), Counter(), Counter())
      let item = context.hosted()
      loop.add(item, to: .common)
      context.addTimeout(1) { timeouts.add() < 5 }
      context.addIdle { idles.add() < 100 }
      context.watch(readEnd) { descriptor in
        var byte: UInt8 = 0
        _ = unsafe read(descriptor, &byte, 1)
        return bytes.add() < 3
      }
      for _ in 0..<3 { _ = unsafe write(writeEnd, "x", 1) }
      while timeouts.value < 5 || idles.value < 100 || bytes.value < 3 {
        loop.run(in: .default, returnAfterSourceHandled: true)
      }
      item.invalidate()
      #expect(loop.run().reason == .finished)
      for end in [readEnd, writeEnd] { close(end) }
    }
  }

  @Test func `M62: a source that another thread adds to the context wakes the loop`() {
    onOwnThread { loop, context in
      let item = context.hosted()
      loop.add(item, to: .default)
      for _ in 0..<50 {
        let thread = try RunLoopThread(named: "adds")
        let called = Counter()
        thread.perform {
          context.addIdle {
            called.add()
            loop.stop()
            return false
          }
        }
        loop.run()
        #expect(called.value == 1)
        thread.stop()
      }
      item.invalidate()
    }
  }

  @Test func `M62: in modes that the context is not in, GLib's sources stand still`() {
    onOwnThread { loop, context in
      let item = context.hosted()
      loop.add(item, to: .default)
      let calls = Counter()
      context.addIdle { calls.add() < 1_000_000 }
      loop.run(in: .tracking, for: .milliseconds(2), whenEmpty: .wait)
      #expect(calls.value == 0)
      loop.run(in: .default, for: .milliseconds(2))
      #expect(calls.value > 0)
      item.invalidate()
    }
  }

  @Test(arguments: [true, false])
  func `M62: a callout of GLib's may run the loop, and GLib's own loop`(nests: Bool) {
    onOwnThread { loop, context in
      let item = context.hosted(nests: nests)
      loop.add(item, to: .default)
      let (outer, inner, ours) = (Counter(), Counter(), Counter())
      context.addIdle {
        if outer.add() > 1 { return false }
        context.addTimeout(1) { inner.add() < 4 }
        let timer = RunLoop.Timer(every: .milliseconds(1)) { timer in
          if ours.add() == 4 { loop.stop() }
        }
        loop.add(timer, to: .default)
        loop.run()
        timer.invalidate()
        context.iterate { inner.value >= 4 }
        return false
      }
      while inner.value < 4 || ours.value < 4 { loop.run(in: .default, returnAfterSourceHandled: true) }
      item.invalidate()
    }
  }

  @Test func `M62: a source of GLib's that asks for the hang-up alone hears of it`() {
    onOwnThread { loop, context in
      var ends: [CInt] = [0, 0]
      unsafe pipe(&ends)
      let (readEnd, writeEnd) = (ends[0], ends[1])
      let item = context.hosted()
      loop.add(item, to: .default)
      let calls = Counter()
      context.watch(readEnd, for: POLLHUP) { _ in
        calls.add()
        loop.stop()
        return false
      }
      loop.perform(in: .default) { loop.perform(in: .default) { close(writeEnd) } }
      #expect(loop.run(in: .default, for: .seconds(30)).reason == .stopped)
      #expect(calls.value == 1)
      item.invalidate()
      close(readEnd)
    }
  }

  /// Of a timer of ours nothing is missed but where the machine is late: what GLib does may not hold it up.
  @Test func `M62: beside a context that is never idle a timer of the loop has its turn`() {
    onOwnThread { loop, context in
      let item = context.hosted()
      loop.add(item, to: .default)
      let (calls, beats) = (Counter(), Counter())
      context.addIdle {
        calls.add()
        return beats.value < 20
      }
      let timer = RunLoop.Timer(every: .milliseconds(1)) { timer in
        if beats.add() == 20 { loop.stop() }
      }
      loop.add(timer, to: .default)
      loop.run()
      #expect(calls.value >= 20)
      item.invalidate()
    }
  }
}
