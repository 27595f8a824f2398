import CLinuxKernel
import Glibc

/// Which thread this is.
package enum ThreadIdentity {
  /// A number that no other living thread has; a thread made later may get it again.
  @inline(__always)
  package static var current: UInt { ms_thread_pointer() }

  /// The kernel's number of the calling thread.
  package static var kernelNumber: CInt { ms_gettid() }

  /// The same, remembered by the thread: two nanoseconds where the kernel takes a hundred.
  package static var rememberedNumber: CInt { ms_thread_number() }

  /// The kernel's number of the process.
  package static var processNumber: CInt { getpid() }

  /// Whether the calling thread is the one that the process began with.
  package static var isMain: Bool { ms_gettid() == getpid() }

  /// The name that tools show for a thread of this process, or "?" once it is gone.
  package static func name(ofThread number: CInt) -> String {
    var bytes = [UInt8](repeating: 0, count: 32)
    let file = unsafe open("/proc/self/task/\(number)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "?" }
    defer { close(file) }
    // SAFETY: reads at most the array's length into the array.
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self)
  }
}
