import Glibc

/// A pipe, its ends closed when asked or at the end.
final class Pipe: @unchecked Sendable {
  // Sendable: used by one thread at a time, as the test hands it over.
  private(set) var readEnd: CInt
  private(set) var writeEnd: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    let result = unsafe pipe(&ends)
    precondition(result == 0, "no pipe to be had: \(errno)")
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    closeReadEnd()
    closeWriteEnd()
  }

  func closeReadEnd() {
    if readEnd >= 0 { close(readEnd) }
    readEnd = -1
  }

  func closeWriteEnd() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }

  /// Puts one byte in.
  func fill() {
    var byte: UInt8 = 1
    let count = unsafe write(writeEnd, &byte, 1)
    precondition(count == 1, "the pipe takes no byte: \(errno)")
  }

  /// Takes out what there is, up to a page.
  @discardableResult
  func drain() -> Int {
    var bytes = [UInt8](repeating: 0, count: 4096)
    return unsafe read(readEnd, &bytes, bytes.count)
  }
}
