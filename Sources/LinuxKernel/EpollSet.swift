import CLinuxKernel
import Glibc

/// An epoll descriptor.
package final class EpollSet {
  private let descriptor: OwnedDescriptor

  /// The descriptor's number: itself readable while a watched one is ready.
  package var number: CInt { descriptor.number }

  package init() throws(KernelError) {
    let number = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard number >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: number)
  }

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

  /// What is ready now.
  package func look(into events: inout ReadyEvents) {
    // In a forked child the set was closed at once: it is shared with the parent.
    guard !descriptor.isInherited else { return events.removeAll() }
    let answer = unsafe ms_epoll_wait_coarse(
      descriptor.number, events.cells, CInt(truncatingIfNeeded: events.capacity), 0)
    if answer < 0 { refuse(answer) }
    events.noteFilled(Int(max(0, answer)))
  }

  /// Waits for what is ready; nil waits without limit, zero looks only. A signal ends it early.
  package func wait(nanoseconds: UInt64?, into events: inout ReadyEvents) {
    // In a forked child the set was closed at once: it is shared with the parent.
    guard !descriptor.isInherited else { return events.removeAll() }
    let (number, room) = (descriptor.number, CInt(truncatingIfNeeded: events.capacity))
    let answer: CInt
    if let nanoseconds {
      if nanoseconds == 0 { return look(into: &events) }
      var limit = timespec(nanoseconds: nanoseconds)
      answer = unsafe ms_epoll_wait(number, events.cells, room, &limit)
    } else {
      answer = unsafe ms_epoll_wait_coarse(number, events.cells, room, -1)
    }
    if answer < 0 { refuse(answer) }
    events.noteFilled(Int(max(0, answer)))
  }

  /// The bare answer of the system: a loop that took it for "nothing is ready" would spin.
  @inline(never)
  private func refuse(_ answer: CInt) {
    require(
      answer == -EINTR,
      "epoll descriptor \(descriptor.number) cannot be waited on: \(KernelError(-answer)); was it closed by somebody?"
    )
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
