import LinuxKernel
import Mainspring

/// That a loop hosts the CFRunLoop of its thread: as long as anything of the guest's is left.
final class GuestPlace: Sendable {
  private let host: ObjectIdentifier
  private static let hosts = Locked<Set<ObjectIdentifier>>([])

  /// Nil where the loop hosts CFRunLoop already. Whoever holds the place holds the loop.
  init?(on host: RunLoop) {
    self.host = ObjectIdentifier(host)
    let host = self.host
    guard Self.hosts.withLock({ $0.insert(host).inserted }) else { return nil }
  }

  deinit {
    let host = host
    Self.hosts.withLock { _ = $0.remove(host) }
  }

  /// Whether a loop hosts CFRunLoop.
  static func isTaken(on host: RunLoop) -> Bool {
    let host = ObjectIdentifier(host)
    return hosts.withLock { $0.contains(host) }
  }
}
