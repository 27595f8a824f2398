import CLinuxKernel
import Glibc

/// A descriptor that is readable while one of several is: an epoll set that another waits for.
package struct DescriptorGroup: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  package var number: CInt { descriptor.number }

  /// - Parameter members: what is waited for; a member that is closed leaves the group.
  package init(_ members: [CInt]) throws(KernelError) {
    let made = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard made >= 0 else { throw .current }
    let group = OwnedDescriptor(adopting: made)
    for member in members { try Self.add(member, to: made) }
    descriptor = group
  }

  private static func add(_ member: CInt, to group: CInt) throws(KernelError) {
    var event = unsafe epoll_event()
    unsafe event.events = EpollBits.read
    // SAFETY: the call reads one event, which outlives it.
    guard unsafe epoll_ctl(group, EPOLL_CTL_ADD, member, &event) == 0 else { throw .current }
  }
}
