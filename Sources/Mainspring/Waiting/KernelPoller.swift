package import LinuxKernel

/// The real clock and the real waits: epoll where there are descriptors, the bell's word where there are none.
package final class KernelPoller: Poller {
  @safe @exclusivity(unchecked) private var exactWait = ExactWait()

  package init() {}

  package func now() -> UInt64 { MonotonicClock.now() }

  package func now(on clock: RunLoop.TimerClock) -> UInt64 {
    switch clock {
    case .monotonic: MonotonicClock.now()
    case .boot: BootClock.now()
    case .wall: WallClock.now()
    }
  }

  package func kind(of descriptor: CInt) throws(KernelError) -> DescriptorKind { try .of(descriptor) }

  package func coarseNow() -> UInt64 { MonotonicClock.coarseNow() }

  package func makeWaitSet(for bell: borrowing KernelBell) throws(KernelError) -> any WaitSet {
    try KernelWaitSet(bell: bell)
  }

  package func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit) {
    switch limit {
    case .zero: break
    case .until(let date):
      exactWait.until(date, now: now()) { bell.waitOnWord(code, until: $0) }
    case .none: bell.waitOnWord(code, until: nil)
    }
  }
}
