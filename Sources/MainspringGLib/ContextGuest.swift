import CGLib
import Glibc
import Mainspring

/// A context as the guest of a Mainspring loop: the four steps of an iteration, two before the loop's sleep and two after.
@safe final class ContextGuest: @unchecked Sendable {
  // Sendable: everything but the context is touched on the loop's thread alone.
  private let owner: GLibContext
  /// What was asked for last, and for whom.
  private var polled: [glib_poll]
  private var count = 0
  private var priority: CInt = 0
  /// The context is this thread's between two iterations as well, so that nobody else's come between.
  private var isAcquired = false

  init(_ owner: GLibContext) {
    self.owner = owner
    polled = Array(repeating: glib_poll(), count: 16)
  }

  deinit {
    // Of the thread that acquired it: the loop's, on which its items end.
    if isAcquired { unsafe g_main_context_release(owner.context) }
  }

  func prepare(_ wait: inout RunLoop.HostedLoop.Wait) {
    if !isAcquired { isAcquired = unsafe g_main_context_acquire(owner.context) != 0 }
    guard isAcquired else { return wait.end(afterPolling: Self.millisecondsBetweenTries) }
    if unsafe g_main_context_prepare(owner.context, &priority) != 0 { wait.endAtOnce() }
    var timeout: CInt = -1
    count = query(&timeout)
    wait.end(afterPolling: Int(timeout))
    for entry in polled[..<count] where entry.fd >= 0 {
      wait.watch(entry.fd, for: Self.readiness(entry.events))
    }
  }

  private func query(_ timeout: inout CInt) -> Int {
    while true {
      // SAFETY: not more entries are written than the array has.
      let needed = unsafe Int(
        g_main_context_query(owner.context, priority, &timeout, &polled, CInt(polled.count)))
      if needed <= polled.count { return needed }
      polled = Array(repeating: glib_poll(), count: needed * 2)
    }
  }

  func dispatch() {
    guard isAcquired else { return }
    look()
    // SAFETY: the first `count` entries are those that were asked for last.
    if unsafe g_main_context_check(owner.context, priority, &polled, CInt(count)) != 0 {
      unsafe g_main_context_dispatch(owner.context)
    }
  }

  /// What is ready now, in GLib's terms: the loop has told of some, and others have become ready since.
  private func look() {
    var descriptors = polled[..<count].map {
      pollfd(fd: $0.fd, events: CShort(bitPattern: $0.events), revents: 0)
    }
    // SAFETY: as many are looked at as the array has.
    unsafe poll(&descriptors, nfds_t(descriptors.count), 0)
    for index in 0..<count { polled[index].revents = UInt16(bitPattern: descriptors[index].revents) }
  }

  private static func readiness(_ events: UInt16) -> RunLoop.Readiness {
    var readiness: RunLoop.Readiness = []
    if events & UInt16(POLLIN) != 0 { readiness.insert(.read) }
    if events & UInt16(POLLOUT) != 0 { readiness.insert(.write) }
    if events & UInt16(POLLPRI) != 0 { readiness.insert(.priority) }
    return readiness
  }

  private static let millisecondsBetweenTries = 1
}
