import Glibc

/// A system call on a file that failed.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was tried: "open", "read", …
  public let action: String
  /// The file or folder.
  public let path: String
  /// The error's number, as in errno, or ``notRegularFile``.
  public let code: CInt

  /// It is a pipe, a device or a folder: errno has no number for that.
  public static let notRegularFile: CInt = -1

  /// The error of the call that just failed on this thread.
  init(_ action: String, _ path: String) {
    self.init(action: action, path: path, code: errno)
  }

  /// An error of this number.
  public init(action: String, path: String, code: CInt) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// One line: `cannot open 'a.jpg': No such file or directory`.
  public var description: String {
    // SAFETY: strerror answers a text that ends in zero; it is copied at once.
    let reason = code == Self.notRegularFile ? "not a regular file" : unsafe String(cString: strerror(code))
    return "cannot \(action) '\(path)': \(reason)"
  }
}
