import LinuxKernel
import Mainspring
import Testing

/// The loop ends its waits at their dates; the thread's other sleeps are the program's.
@Suite struct TimerSlackTests {
  /// On a thread of its own: waits for a date so near that the slack is in the way, in both manners of waiting.
  private func waitBriefly(_ loop: RunLoop, withDescriptor: Bool) throws {
    let pipe = Pipe()
    let source = RunLoop.DescriptorSource(pipe.readEnd) { _, _ in }
    if withDescriptor { try loop.add(source, to: .default) }
    loop.run(in: .default, for: .microseconds(20), whenEmpty: .wait)
    source.invalidate()
  }

  @Test(arguments: [true, false])
  func `M36: waits leave the thread's timer slack as the program has set it, before or since`(
    withDescriptor: Bool
  ) {
    onOwnThread { loop in
      for slack: UInt64 in [60_000, 2_000_000, 1, 70_000] {
        TimerSlack.set(slack)
        // Until it has been asked for again.
        for _ in 0..<40 { try waitBriefly(loop, withDescriptor: withDescriptor) }
        #expect(TimerSlack.ofThisThread == slack)
      }
    }
  }

  @Test(arguments: [1, 50_000, 1_000_000_000, .max / 2, .max - 5000] as [UInt64])
  func `M36: a wait ends, and not before its date, whatever the slack is`(slack: UInt64) {
    onOwnThread { loop in
      TimerSlack.set(slack)
      for _ in 0..<3 {
        let fired = Box<RunLoop.Instant>()
        let timer = RunLoop.Timer(after: .milliseconds(1)) { _ in fired.value = .now }
        let date = timer.fireDate!
        loop.add(timer, to: .default)
        loop.run(in: .default)
        #expect(fired.value! >= date)
      }
    }
  }
}
