import Glibc

/// A file as one text.
struct TextFile {
  /// Why it could not be read or written.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let path: String

  init(_ path: String) { self.path = path }

  func read() throws(Failure) -> String {
    guard let file = unsafe fopen(path, "re") else { throw failure("read") }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // SAFETY: reads at most the array's length into the array.
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard unsafe ferror(file) == 0 else { throw failure("read") }
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(_ text: String) throws(Failure) {
    guard let file = unsafe fopen(path, "we") else { throw failure("written") }
    let bytes = Array(text.utf8)
    // SAFETY: writes the array's length from the array.
    let count = unsafe fwrite(bytes, 1, bytes.count, file)
    guard unsafe fclose(file) == 0, count == bytes.count else { throw failure("written") }
  }

  private func failure(_ done: String) -> Failure {
    // SAFETY: strerror answers a text that ends in zero.
    Failure(description: "'\(path)' cannot be \(done): \(unsafe String(cString: strerror(errno)))")
  }
}
