import Foundation

/// A folder of the test's own, removed with what is in it at the end, and what tests do in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "mainspring-" + UUID().uuidString
    done(unsafe mkdir(path, 0o700), path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  subscript(_ name: String) -> String { path + "/" + name }

  func write(_ name: String) { write(bytes: Array(name.utf8)) }

  /// Opens it, writes into it, and closes it.
  func write(bytes name: [UInt8]) {
    let whole = Array(path.utf8) + [0x2F] + name + [0]
    // SAFETY: the bytes end with a zero.
    let file = unsafe whole.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
      unsafe open($0.baseAddress!, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
    }
    done(file, "\(name)")
    // SAFETY: writes the array's bytes.
    done(CInt(unsafe Glibc.write(file, whole, 1)), "\(name)")
    close(file)
  }

  func makeFolder(_ name: String) { done(unsafe mkdir(self[name], 0o700), name) }
  func setMode(_ name: String, _ mode: mode_t) { done(unsafe chmod(self[name], mode), name) }
  func remove(_ name: String) { done(unsafe unlink(self[name]), name) }
  func move(_ name: String, to other: String) { done(unsafe rename(self[name], self[other]), name) }
  func link(_ name: String, as other: String) { done(unsafe Glibc.link(self[name], self[other]), name) }
  func linkSymbolically(_ name: String, as other: String) {
    done(unsafe symlink(self[name], self[other]), name)
  }

  /// What stands in a file, wherever it is.
  static func text(of path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func done(_ result: CInt, _ name: String) {
    precondition(result >= 0, "\(name) in \(path): \(errno)")
  }
}
