import LinuxKernel

extension RunLoop {
  /// Why a signal source, a child's exit or file changes could not be made or told to watch.
  public enum SourceError: Error, Hashable, Sendable {
    /// The process or the machine has no descriptor left, or no memory for one; the number is the kernel's `errno`.
    case noDescriptorLeft(errno: CInt)
    /// The user may not watch any more files.
    case noWatchLeft
    /// No process has the number, or it has ended and its parent has heard of it.
    case noSuchProcess(CInt)
    /// The number is that of a thread, not of a process.
    case notAProcess(CInt)
    /// Nothing is at the path.
    case noSuchPath(String)
    /// What is at the path, or a folder on the way to it, may not be read.
    case notPermitted(String)
    /// The source was invalidated before.
    case invalidated
    /// The kernel cannot do it, for a reason that has no case of its own: it is too old, say, or a sandbox forbids it.
    case refused(errno: CInt)
  }
}

extension RunLoop.SourceError {
  /// What the kernel says where a descriptor is made.
  init(making error: KernelError) {
    switch error {
    // Descriptors, or the memory for one, are used up; the last is what epoll says.
    case .tooManyOpen, .tooManyOpenInSystem, .noMemory, .noSpace:
      self = .noDescriptorLeft(errno: error.number)
    default: self = .refused(errno: error.number)
    }
  }

  init(opening process: CInt, _ error: KernelError) {
    switch error {
    case .noSuchProcess: self = .noSuchProcess(process)
    // Newer kernels say of a thread that there is no such entry.
    case .invalidArgument, .notThere: self = .notAProcess(process)
    default: self = Self(making: error)
    }
  }

  init(watching path: String, _ error: KernelError) {
    switch error {
    case .notThere, .notAFolder, .tooManyLinks: self = .noSuchPath(path)
    case .accessDenied: self = .notPermitted(path)
    case .noSpace: self = .noWatchLeft
    case .noMemory: self = .noDescriptorLeft(errno: error.number)
    default: self = .refused(errno: error.number)
    }
  }
}

extension RunLoop.SourceError: CustomStringConvertible {
  /// What is wrong and what can be done about it, in one line.
  public var description: String {
    switch self {
    case .noDescriptorLeft(let number):
      "no descriptor left: \(KernelError(number)); raise the limit (ulimit -n; for file changes also "
        + "fs.inotify.max_user_instances) or close some"
    case .noWatchLeft: "no watch left for another file; raise fs.inotify.max_user_watches or watch fewer"
    case .noSuchProcess(let number): "there is no process \(number)"
    case .notAProcess(let number): "\(number) is the number of a thread, not of a process"
    case .noSuchPath(let path): "there is nothing at \(path)"
    case .notPermitted(let path): "\(path) may not be read"
    case .invalidated: "the source was invalidated before"
    case .refused(let number): "the kernel refuses: \(KernelError(number))"
    }
  }
}
