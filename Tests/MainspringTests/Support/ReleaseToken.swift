import Synchronization

/// Tells when it was freed, and with it the closure that captures it.
final class ReleaseToken: Sendable {
  private let flag: ReleaseFlag

  init(_ flag: ReleaseFlag) { self.flag = flag }
  deinit { flag.raise() }

  /// Keeps the closure from dropping the capture.
  func touch() {}
}

/// Whether its token was freed.
final class ReleaseFlag: Sendable {
  private let raised = Atomic<Bool>(false)

  var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }
  func raise() { raised.store(true, ordering: .sequentiallyConsistent) }
}
