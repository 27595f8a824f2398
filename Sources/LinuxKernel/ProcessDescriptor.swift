import CLinuxKernel
import Glibc

/// A descriptor of a process (pidfd): readable once the process has ended, and never another's that gets its number.
package struct ProcessDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  package var number: CInt { descriptor.number }

  package init(_ process: CInt) throws(KernelError) {
    let made = ms_pidfd_open(process)
    guard made >= 0 else { throw KernelError(-made) }
    descriptor = OwnedDescriptor(adopting: made)
  }

  /// How a child stands.
  package enum State: Hashable, Sendable {
    case running
    case exited(CInt)
    case killed(CInt, coreDumped: Bool)
  }

  /// Asks without waiting; throws `.noSuchChild` if the process is no child of this one, or not any more.
  ///
  /// - Parameter reaping: whether a child that has ended is given up to the kernel: its number may be another's then.
  package func state(reaping: Bool) throws(KernelError) -> State {
    var info = unsafe siginfo_t()
    let options = WEXITED | WNOHANG | (reaping ? 0 : WNOWAIT)
    // SAFETY: writes one siginfo, which outlives the call.
    guard unsafe waitid(Self.byDescriptor, id_t(bitPattern: number), &info, options) == 0 else {
      throw .current
    }
    // SAFETY: for a child that has ended the kernel filled in this part; for none it left zeros.
    let child = unsafe info._sifields._sigchld
    guard child.si_pid != 0 else { return .running }
    switch unsafe info.si_code {
    case CInt(CLD_EXITED): return .exited(child.si_status)
    case CInt(CLD_DUMPED): return .killed(child.si_status, coreDumped: true)
    default: return .killed(child.si_status, coreDumped: false)
    }
  }

  /// P_PIDFD, which older headers lack.
  private static let byDescriptor = idtype_t(3)
}
