import Glibc
import LinuxKernel

/// The folder that an archive is in.
struct ArchiveFolder: Sendable {
  let path: String

  /// Makes the folder if it is not there, and sees whether it can be written to.
  init(path given: String) throws(StallMonitor.StartError) {
    path = Self.absolute(given)
    guard !path.isEmpty else { throw .folder(path, reason: "the name is empty") }
    do throws(KernelError) { _ = try open() } catch { throw .folder(path, reason: "\(error)") }
    guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else {
      throw .folder(path, reason: "\(KernelError.current)")
    }
  }

  /// A program may change its folder later on.
  private static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return path }
    // SAFETY: getcwd allocates a string that is ours, and read before it is freed.
    guard let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }

  /// Opens the folder; makes it first, if somebody has taken it away.
  func open() throws(KernelError) -> OpenFolder {
    if let there = try openIfThere() { return there }
    var parent = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      parent += parent.isEmpty || parent.hasSuffix("/") ? component : "/" + component
      if unsafe mkdir(parent, 0o700) != 0, errno != EEXIST { throw .current }
    }
    return try OpenFolder(path: path)
  }

  func openIfThere() throws(KernelError) -> OpenFolder? {
    do throws(KernelError) { return try OpenFolder(path: path) } catch {
      guard error == .notThere else { throw error }
      return nil
    }
  }
}
