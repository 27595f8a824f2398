package import LinuxKernel

extension RunLoop {
  /// Why a descriptor source could not be added, or cannot be waited for.
  public enum DescriptorError: Error, Hashable, Sendable {
    /// The number is not an open descriptor.
    case notOpen(CInt)
    /// A regular file, a folder or a device such as `/dev/null`, which is always ready; make the source with
    /// `files: .alwaysReady` to have it so.
    case notPollable(CInt)
    /// The process, or the system, has no descriptor left for the loop to wait with; the error number says which.
    case noDescriptorLeft(errno: CInt)
    /// The kernel has no memory left for it, or the user's limit of watched descriptors is reached.
    case noMemory(errno: CInt)
    /// The source was invalidated before.
    case invalidated
    /// The loop's thread has ended.
    case loopEnded
  }
}

extension RunLoop.DescriptorError {
  /// - Parameter descriptor: which it was, where it was one of the caller's.
  package init(_ error: KernelError, of descriptor: CInt = -1) {
    switch error {
    case .notPermitted: self = .notPollable(descriptor)
    case .tooManyOpen, .tooManyOpenInSystem: self = .noDescriptorLeft(errno: error.number)
    case .noMemory, .noSpace: self = .noMemory(errno: error.number)
    default: self = .notOpen(descriptor)
    }
  }
}

extension RunLoop.DescriptorError: CustomStringConvertible {
  /// What is wrong and what can be done about it, in one line.
  public var description: String {
    switch self {
    case .notOpen(let number): "descriptor \(number) is not open"
    case .notPollable(let number):
      "descriptor \(number) is a file, a folder or a device that cannot be waited for; "
        + "use files: .alwaysReady to have it served in every pass"
    case .noDescriptorLeft(let number):
      "no descriptor left to wait with: \(KernelError(number)); raise the limit (ulimit -n) or close some"
    case .noMemory(let number):
      "no room in the kernel to wait: \(KernelError(number)); see /proc/sys/fs/epoll/max_user_watches"
    case .invalidated: "the source was invalidated before"
    case .loopEnded: "the loop's thread has ended"
    }
  }
}
