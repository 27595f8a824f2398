import LinuxKernel

extension RunLoopThread {
  /// The kernel gives no thread: there are as many as there may be, or no memory for the stack.
  public struct StartError: Error, Hashable, Sendable {
    /// The kernel's error number.
    public let errno: CInt
  }
}

extension RunLoopThread.StartError: CustomStringConvertible {
  /// What is wrong and what can be done about it, in one line.
  public var description: String {
    "no thread to be had: \(KernelError(errno)); raise the limits (ulimit -u, and of the control group), "
      + "or ask for a smaller stack"
  }
}
