package import LinuxKernel

/// The real clock and the real waits: epoll where there are descriptors, the bell's word where there are none.
package final class KernelPoller: Poller {
  package init() {}

  package func now() -> UInt64 { MonotonicClock.now() }

  package func kind(of descriptor: CInt) throws(KernelError) -> DescriptorKind { try .of(descriptor) }

  package func coarseNow() -> UInt64 { MonotonicClock.coarseNow() }

  package func makeWaitSet(for bell: borrowing KernelBell) throws(KernelError) -> any WaitSet {
    try KernelWaitSet(bell: bell)
  }

  package func sleep(as code: SleepCode, on bell: borrowing KernelBell, limit: WaitLimit) {
    switch limit {
    case .zero: break
    case .until(let date): bell.waitOnWord(code, until: date)
    case .none: bell.waitOnWord(code, until: nil)
    }
  }
}

/// An epoll set with the bell's descriptor in it.
///
/// The bell is edge-triggered and never read: a ring costs the loop no system call. A ring leaves an edge in
/// each other set of the loop, which costs the next wait there one early return.
private final class KernelWaitSet: WaitSet {
  private let epoll: EpollSet

  /// Stands for the bell; a descriptor's token never has all bits set.
  private static let bellToken = UInt64.max

  init(bell: borrowing KernelBell) throws(KernelError) {
    epoll = try EpollSet(capacity: Limit.descriptorsPerPass)
    try epoll.add(
      bell.makeDescriptor(), bits: EpollBits.read | EpollBits.edgeTriggered, token: Self.bellToken)
  }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try epoll.add(descriptor, bits: bits, token: token)
  }

  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try epoll.modify(descriptor, bits: bits, token: token)
  }

  func remove(_ descriptor: CInt) throws(KernelError) { try epoll.remove(descriptor) }

  func wait(_ limit: WaitLimit, report: (_ token: UInt64, _ bits: UInt32) -> Void) {
    epoll.wait(nanoseconds: Self.nanoseconds(limit)) { token, bits in
      if token != Self.bellToken { report(token, bits) }
    }
  }

  private static func nanoseconds(_ limit: WaitLimit) -> UInt64? {
    switch limit {
    case .zero: return 0
    case .none: return nil
    case .until(let date):
      let now = MonotonicClock.now()
      return date > now ? date - now : 0
    }
  }
}
