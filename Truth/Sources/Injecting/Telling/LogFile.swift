import Glibc
import Synchronization
package import TruthLog

/// A file that lines are put into, in batches. Any thread.
package final class LogFile: Sendable {
  private let descriptor: CInt
  private let pending = Mutex<[UInt8]>([])

  /// Nil if it cannot be made.
  init?(path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if descriptor < 0 { return nil }
  }

  package func write(_ line: LogLine) {
    let bytes = Array(line.text.utf8)
    pending.withLock {
      $0 += bytes
      $0.append(10)
    }
  }

  /// Puts what has gathered into the file.
  func flush() {
    let bytes = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      written += max(0, count)
    }
  }
}
