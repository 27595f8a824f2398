/// Reads a process's memory without ever faulting.
package protocol MemoryReader: AnyObject {
  /// Up to `count` bytes from `address` on; fewer where unmapped memory begins.
  func bytes(at address: UInt64, count: Int) -> [UInt8]

  /// The eight bytes at `address`, or nil if they cannot be read.
  func word(at address: UInt64) -> UInt64?
}

extension MemoryReader {
  package func word(at address: UInt64) -> UInt64? { bytes(at: address, count: 8).integer(at: 0) }
}
