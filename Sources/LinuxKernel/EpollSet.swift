import CLinuxKernel
import Glibc

/// An epoll descriptor and the memory that its answers are written to.
@safe package final class EpollSet {
  private let descriptor: OwnedDescriptor
  // SAFETY: `capacity` cells for the life of the object; only `wait` touches them.
  private let events: UnsafeMutablePointer<epoll_event>
  private let capacity: Int

  /// - Parameter capacity: how many ready descriptors one wait can tell.
  package init(capacity: Int = 256) throws(KernelError) {
    let number = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard number >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: number)
    self.capacity = capacity
    unsafe events = .allocate(capacity: capacity)
    unsafe events.initialize(repeating: epoll_event(), count: capacity)
  }

  deinit { unsafe events.deallocate() }

  package func add(_ watched: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try control(EPOLL_CTL_ADD, watched, bits, token)
  }

  package func modify(_ watched: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try control(EPOLL_CTL_MOD, watched, bits, token)
  }

  package func remove(_ watched: CInt) throws(KernelError) { try control(EPOLL_CTL_DEL, watched, 0, 0) }

  private func control(
    _ operation: CInt, _ watched: CInt, _ bits: UInt32, _ token: UInt64
  ) throws(KernelError) {
    var event = unsafe epoll_event()
    unsafe event.events = bits
    unsafe event.data.u64 = token
    // SAFETY: the call reads one event, which outlives it.
    guard !descriptor.isInherited else { throw .badDescriptor }
    guard unsafe epoll_ctl(descriptor.number, operation, watched, &event) == 0 else { throw .current }
  }

  /// Waits and reports what is ready; nil waits without limit, zero looks only. A signal ends it early.
  @inline(__always)
  package func wait(nanoseconds: UInt64?, report: (_ token: UInt64, _ bits: UInt32) -> Void) {
    // In a forked child the set was closed at once: it is shared with the parent.
    guard !descriptor.isInherited else { return }
    let count: CInt
    if let nanoseconds {
      var limit = timespec(nanoseconds: nanoseconds)
      count = unsafe ms_epoll_wait(descriptor.number, events, CInt(capacity), &limit)
    } else {
      count = unsafe ms_epoll_wait(descriptor.number, events, CInt(capacity), nil)
    }
    // The bare answer of the system: a loop that took it for "nothing is ready" would spin.
    require(
      count >= 0 || count == -EINTR,
      "epoll descriptor \(descriptor.number) cannot be waited on: \(KernelError(-count)); was it closed by somebody?"
    )
    // SAFETY: the kernel filled the first `count` cells.
    for index in 0..<max(0, Int(count)) { unsafe report(events[index].data.u64, events[index].events) }
  }
}

/// The event bits that the loop uses, by the kernel's names.
package enum EpollBits {
  package static let read = EPOLLIN.rawValue
  package static let write = EPOLLOUT.rawValue
  package static let priority = EPOLLPRI.rawValue
  package static let error = EPOLLERR.rawValue
  package static let hangUp = EPOLLHUP.rawValue
  package static let peerHangUp = EPOLLRDHUP.rawValue
  package static let edgeTriggered = EPOLLET.rawValue
  package static let exclusive = EPOLLEXCLUSIVE.rawValue
}
