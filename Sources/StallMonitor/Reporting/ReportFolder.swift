import Glibc
import LinuxKernel
import StallReport

/// The folder that reports are written to, two files a stall: one for tools and one for people.
///
/// A file is written whole under another name and then renamed: whoever opens it sees all of it or the one before.
struct ReportFolder: Sendable {
  let path: String

  /// Makes the folder if it is not there, and sees whether it can be written to.
  init(path given: String) throws(StallMonitor.StartError) {
    path = Self.absolute(given)
    guard !path.isEmpty else { throw .folder(path, reason: "the name is empty") }
    do throws(KernelError) {
      try Self.makeFolder(path)
    } catch {
      throw .folder(path, reason: "\(error)")
    }
    guard unsafe access(path, W_OK | X_OK) == 0 else { throw .folder(path, reason: "\(KernelError.current)") }
    removeAbandonedParts()
  }

  /// A program may change its folder later on.
  private static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return path }
    // SAFETY: getcwd allocates a string that is ours, and read before it is freed.
    guard let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }

  private static func makeFolder(_ path: String) throws(KernelError) {
    var parent = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      parent += parent.isEmpty || parent.hasSuffix("/") ? component : "/" + component
      if unsafe mkdir(parent, 0o700) != 0, errno != EEXIST { throw .current }
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .current }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw KernelError(ENOTDIR) }
  }

  /// A part that is older than this, s, is nobody's any more, if its writer is gone.
  private static let partAgeMax = 60

  /// Takes away what processes left that were killed while they wrote.
  private func removeAbandonedParts() {
    guard let folder = unsafe opendir(path) else { return }
    defer { unsafe closedir(folder) }
    while let entry = unsafe readdir(folder) {
      // SAFETY: the entry's name ends in a zero and lives until the next is read.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if isAbandonedPart(name) { unsafe unlink("\(path)/\(name)") }
    }
  }

  private func isAbandonedPart(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard name.hasPrefix("."), parts.count > 2, parts.last == "part",
      let writer = pid_t(parts[parts.count - 2]),
      writer > 0, kill(writer, 0) != 0, errno == ESRCH
    else { return false }
    var status = stat()
    // SAFETY: writes one stat, which outlives the call.
    guard unsafe lstat("\(path)/\(name)", &status) == 0 else { return false }
    return Glibc.time(nil) - status.st_mtim.tv_sec > Self.partAgeMax
  }

  /// Writes both files of a report, over those of an earlier state of it. Makes the folder again if somebody has taken it
  /// away since.
  func write(_ report: Report) throws(KernelError) {
    do throws(KernelError) {
      try writeFiles(of: report)
    } catch {
      guard error.number == ENOENT else { throw error }
      try Self.makeFolder(path)
      try writeFiles(of: report)
    }
  }

  private func writeFiles(of report: Report) throws(KernelError) {
    let name = fileName(of: report)
    try write(report.json(layout: .pretty) + "\n", to: name + ".json")
    try write(report.text(style: .plain), to: name + ".txt")
  }

  /// Sorts by the stall's start: `20261130T014442.123Z-0f6d1c3e`.
  func fileName(of report: Report) -> String {
    "\(report.time.startUnix.compactDescription)-\("\(report.id)".prefix(8))"
  }

  private func write(_ text: String, to name: String) throws(KernelError) {
    let temporary = "\(path)/.\(name).\(getpid()).part"
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .current }
    do throws(KernelError) {
      let descriptor = OwnedDescriptor(adopting: file)
      try Self.writeAll(Array(text.utf8), to: descriptor.number)
      guard fsync(descriptor.number) == 0 else { throw .current }
      guard unsafe rename(temporary, "\(path)/\(name)") == 0 else { throw .current }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
  }

  private static func writeAll(_ bytes: [UInt8], to file: CInt) throws(KernelError) {
    var written = 0
    while written < bytes.count {
      // SAFETY: writes what is left of the array, which is not changed meanwhile.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(file, $0.baseAddress! + written, $0.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .current
      }
      written += count
    }
  }
}
