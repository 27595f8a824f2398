import Glibc

/// How long this thread has waited for a processor while it could have run, as the kernel counts it.
///
/// On a machine with other work a frame may be missed since the program had no processor; that is not the loop's doing.
@MainActor
final class RunDelay {
  private let descriptor: CInt

  init() {
    // SAFETY: the path is a literal.
    descriptor = unsafe open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// ns since the thread began; 0 where the kernel does not count.
  var total: UInt64 {
    var bytes = [UInt8](repeating: 0, count: 96)
    // SAFETY: not more bytes are written than the array has.
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return 0 }
    let numbers = bytes.prefix(count).split(separator: UInt8(ascii: " "))
    guard numbers.count > 1 else { return 0 }
    return UInt64(String(decoding: numbers[1], as: UTF8.self)) ?? 0
  }
}
