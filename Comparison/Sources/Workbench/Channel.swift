import CProcess
import Glibc

/// A pipe whose far end a child process has.
final class Channel {
  let reading: CInt
  private(set) var writing: CInt
  private var bytes: [UInt8] = []

  init() throws(ChildProcess.StartError) {
    var ends: [CInt] = [-1, -1]
    // SAFETY: the call writes two numbers; the array has two.
    guard unsafe process_pipe(&ends) == 0 else {
      throw ChildProcess.StartError(description: "cannot make a pipe: error \(errno)")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    closeWriting()
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// Takes what is there, and waits for nothing.
  func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      // SAFETY: the call writes at most as many bytes as the array has.
      let count = unsafe Glibc.read(reading, &chunk, chunk.count)
      guard count > 0 else { return }
      bytes += chunk[..<count]
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
