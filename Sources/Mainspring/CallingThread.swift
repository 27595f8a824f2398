internal import CLinuxKernel

/// Who calls, and in which process: asked at every step, and so straight from C, whose inline functions are inlined
/// here; Swift's of another module that use C are not.
enum CallingThread {
  /// As `ThreadIdentity.current`.
  @inline(__always)
  static var identity: UInt { ms_thread_pointer() }

  /// As `Fork.generation`.
  @inline(__always)
  static var forks: UInt32 { ms_fork_generation() }
}
