import Glibc
import LinuxKernel
import Mainspring
import MainspringTesting
import Testing

/// A loop as the guest of another: the descriptor tells of everything, and of nothing else.
@Suite struct HostedTests {
  @Test(arguments: HostedWork.allCases, PollingHost.Trigger.allCases)
  func `M61: the descriptor is readable when there is work, and not before, nor after the turn`(
    _ work: HostedWork, _ trigger: PollingHost.Trigger
  ) {
    onOwnThread { loop in
      try loop.withHost(trigger) { host in
        let seen = Record<String>()
        let begin = try work.prepare(on: loop) { seen.add("called") }
        host.serve()
        #expect(!host.isReadable && seen.isEmpty)
        begin()
        // Without a limit: a loop that does not tell would be waited for in vain.
        host.serve { !seen.isEmpty }
        host.serve()
        #expect(seen.all == ["called"])
        #expect(!host.isReadable)
      }
    }
  }

  @Test func `M61: a turn tells whether anything is left, and the descriptor says the same`() {
    onOwnThread { loop in
      try loop.withHost { host in
        #expect(host.guest.turn() == .idle)
        #expect(!host.isReadable)
        let source = RunLoop.Source { $0.signal() }
        loop.add(source, to: .default)
        source.signal()
        #expect(host.guest.turn() == .more)
        #expect(host.isReadable)
        source.invalidate()
        #expect(host.guest.turn() == .idle)
        #expect(!host.isReadable)
      }
    }
  }

  @Test func `M61: what a turn left rings again for a host that waits for edges`() {
    onOwnThread { loop in
      try loop.withHost(.edge) { host in
        let count = Record<Int>()
        let source = RunLoop.Source { source in
          count.add(1)
          if count.count < 1000 { source.signal() }
        }
        loop.add(source, to: .default)
        source.signal()
        var turns = 0
        while host.wait(0) {
          host.guest.turn()
          turns += 1
        }
        #expect(count.count == 1000)
        #expect(turns >= 1000 / Limit.passesPerHostedTurn)
      }
    }
  }

  @Test(arguments: PollingHost.Trigger.allCases)
  func `M61: a descriptor whose handler takes a byte at a time is served to the end, however it is watched`(
    _ trigger: PollingHost.Trigger
  ) {
    onOwnThread { loop in
      try loop.withHost(trigger) { host in
        let pipe = Pipe()
        let taken = Record<UInt8>()
        try loop.add(
          RunLoop.DescriptorSource(pipe.readEnd) { source, _ in
            var byte: UInt8 = 0
            if unsafe read(source.descriptor, &byte, 1) == 1 { taken.add(byte) }
          }, to: .default)
        host.serve()
        for _ in 0..<30 { pipe.fill() }
        host.serve { taken.count == 30 }
        #expect(!host.isReadable)
      }
    }
  }

  @Test
  func `M61: entry and exit come once, and beforeWaiting and afterWaiting stand around the host's sleep`() {
    onOwnThread { loop in
      let seen = Record<String>()
      loop.add(
        RunLoop.Observer(.all) { _, activity in
          if activity != .beforeTimers, activity != .beforeSources { seen.add("\(activity)") }
        }, to: .default)
      let guest = try loop.beHosted()
      seen.add("hosted")
      guest.turn()
      seen.add("sleep")
      loop.perform(in: .default) { seen.add("block") }
      guest.turn()
      seen.add("sleep")
      guest.invalidate()
      #expect(
        seen.all == [
          "hosted", "entry", "beforeWaiting", "sleep", "afterWaiting", "block", "beforeWaiting", "sleep",
          "afterWaiting", "exit",
        ])
    }
  }

  @Test func `M61: what an observer of beforeWaiting asks for is done in the same turn`() {
    onOwnThread { loop in
      try loop.withHost { host in
        let seen = Record<String>()
        loop.add(
          RunLoop.Observer(.beforeWaiting, repeats: false) { _, _ in
            loop.perform(in: .default) { seen.add("block") }
          }, to: .default)
        #expect(host.guest.turn() == .idle)
        #expect(seen.all == ["block"])
      }
    }
  }

  @Test func `M61: a mode that is not hosted wakes nobody`() {
    onOwnThread { loop in
      try loop.withHost(in: .tracking) { host in
        let seen = Record<String>()
        TestThread { loop.perform(in: .default) { seen.add("default") } }.join()
        #expect(!host.isReadable)
        TestThread { loop.perform(in: .common) { seen.add("common") } }.join()
        host.serve { !seen.isEmpty }
        #expect(seen.all == ["common"])
      }
    }
  }

  @Test func `M61: a date that is put off, or gone, is not kept`() {
    onOwnThread { loop in
      try loop.withHost { host in
        let timer = RunLoop.Timer(after: .milliseconds(1)) { _ in Issue.record("fired") }
        loop.add(timer, to: .default)
        timer.setFireDate(after: .seconds(3600))
        host.serve()
        timer.invalidate()
        host.serve()
        #expect(!host.isReadable)
      }
    }
  }

  @Test(arguments: PollingHost.Trigger.allCases)
  func `M61: of what several threads send at once nothing is lost`(_ trigger: PollingHost.Trigger) {
    onOwnThread { loop in
      try loop.withHost(trigger) { host in
        let (threads, each) = (3, 5000)
        let count = Box(0)
        let senders = (0..<threads).map { _ in
          TestThread {
            for _ in 0..<each { loop.perform(in: .default) { count.value = count.value! + 1 } }
          }
        }
        host.serve { count.value == threads * each }
        for sender in senders { sender.join() }
      }
    }
  }

  @Test func `M61: the descriptor stays the same when the mode's set is made anew`() {
    onOwnThread { loop in
      try loop.withHost { host in
        let pipe = Pipe()
        let seen = Record<RunLoop.Readiness>()
        try loop.add(RunLoop.DescriptorSource(pipe.readEnd) { _, ready in seen.add(ready) }, to: .default)
        host.serve()
        // The registration of a number that was closed stays as long as its file is open.
        let copy = dup(pipe.readEnd)
        pipe.fill()
        pipe.closeReadEnd()
        let other = Pipe()
        let otherSeen = Record<String>()
        try loop.add(
          RunLoop.DescriptorSource(other.readEnd) { _, _ in
            other.drain()
            otherSeen.add("read")
          }, to: .default)
        host.serve()
        other.fill()
        host.serve { !otherSeen.isEmpty }
        host.serve()
        #expect(!host.isReadable)
        close(copy)
      }
    }
  }
}
