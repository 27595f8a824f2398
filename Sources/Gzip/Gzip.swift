internal import CZlib

/// Bytes in gzip's format, by zlib.
package enum Gzip {
  /// Why bytes could not be brought into the format or out of it.
  package enum Failure: Error, Equatable {
    /// They are not gzip, or are damaged.
    case damaged
    /// They end before their member does.
    case truncated
    /// There is more in them than the caller takes, in bytes.
    case exceeds(limit: Int)
    /// zlib had no memory.
    case noMemory
  }

  /// zlib's number for gzip's header and trailer with the largest window.
  private static let gzipWindow: CInt = 15 + 16
  /// As much memory as zlib takes by default.
  private static let memoryLevel: CInt = 8
  /// A piece of output, bytes.
  private static let pieceLength = 64 << 10

  /// One member with all of `bytes`. Members can be put one after the other: they are read as one.
  ///
  /// - Parameter level: from 1 (fast) to 9 (small).
  /// - Complexity: O(*n*).
  package static func compress(_ bytes: [UInt8], level: Int = 6) throws(Failure) -> [UInt8] {
    precondition((1...9).contains(level), "level \(level) is not from 1 to 9")
    var stream = unsafe z_stream()
    // SAFETY: the stream lives until deflateEnd and is touched by this call alone.
    let begun = unsafe deflateInit2_(
      &stream, CInt(level), Z_DEFLATED, gzipWindow, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { throw .noMemory }
    defer { _ = unsafe deflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    let result = unsafe run(&stream, over: &input, into: &output, limit: .max) {
      unsafe deflate(&$0, Z_FINISH)
    }
    guard result == Z_STREAM_END else { throw .noMemory }
    return output
  }

  /// What is in `bytes`, of all members together.
  ///
  /// - Parameter limit: more than so many bytes are refused: a small file can hold a very large one.
  /// - Complexity: O(length of the result), which is at most `limit`.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var stream = unsafe z_stream()
    // SAFETY: as in `compress`.
    let begun = unsafe inflateInit2_(&stream, gzipWindow, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { throw .noMemory }
    defer { _ = unsafe inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var isBetweenMembers = false
    let result = unsafe run(&stream, over: &input, into: &output, limit: limit) { stream in
      if isBetweenMembers { _ = unsafe inflateReset(&stream) }
      let result = unsafe inflate(&stream, Z_NO_FLUSH)
      isBetweenMembers = result == Z_STREAM_END
      // Another member may follow.
      return unsafe isBetweenMembers && stream.avail_in > 0 ? Z_OK : result
    }
    if output.count > limit { throw .exceeds(limit: limit) }
    switch result {
    case Z_STREAM_END: return output
    case Z_MEM_ERROR: throw .noMemory
    case Z_OK, Z_BUF_ERROR: throw .truncated
    default: throw .damaged
    }
  }

  /// Calls `step` until it says something else than that it could go on, or there is nothing to go on with.
  private static func run(
    _ stream: inout z_stream, over input: inout [UInt8], into output: inout [UInt8], limit: Int,
    _ step: (inout z_stream) -> CInt
  ) -> CInt {
    var piece = [UInt8](repeating: 0, count: pieceLength)
    // SAFETY: zlib reads and writes within the counts given here, and neither array is changed meanwhile.
    return unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(source.count)
      while true {
        let (result, count) = unsafe piece.withUnsafeMutableBufferPointer { target -> (CInt, Int) in
          unsafe stream.next_out = target.baseAddress
          unsafe stream.avail_out = UInt32(target.count)
          let result = unsafe step(&stream)
          return unsafe (result, target.count - Int(stream.avail_out))
        }
        output.append(contentsOf: piece[..<count])
        guard result == Z_OK, output.count <= limit, unsafe count > 0 || stream.avail_in > 0 else {
          return result
        }
      }
    }
  }
}
