import Glibc
package import LinuxKernel

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

/// Memory through /proc/PID/mem: of this process, or of another that may be traced.
package final class ProcessMemory: MemoryReader {
  private let file: ReadOnlyFile

  /// - Parameter process: its number, or nil for the one that runs this.
  package init(process: Int32? = nil) throws(KernelError) {
    file = try ReadOnlyFile(path: "/proc/\(process.map(String.init) ?? "self")/mem")
  }

  package func bytes(at address: UInt64, count: Int) -> [UInt8] { file.bytes(at: address, count: count) }
}
