import Glibc
import LinuxKernel

/// The file that an export is written to.
enum OutputFile {
  /// Writes all of `bytes` to the file on `path`, in the place of what is in it.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    do throws(KernelError) {
      let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
      guard number >= 0 else { throw .current }
      let file = OwnedDescriptor(adopting: number)
      var written = 0
      while written < bytes.count {
        // SAFETY: writes what is left of the array, which is not changed meanwhile.
        let count = unsafe bytes.withUnsafeBytes { all in
          unsafe Glibc.write(file.number, all.baseAddress! + written, all.count - written)
        }
        if count < 0, errno != EINTR { throw .current }
        written += max(0, count)
      }
    } catch {
      throw Failure(reason: "\(path): \(error)")
    }
  }
}
