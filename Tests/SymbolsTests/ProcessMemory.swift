import Symbols

/// The memory of the process that runs this, through /proc.
final class ProcessMemory: MemoryReader {
  private let file: ReadOnlyFile

  init() throws { file = try ReadOnlyFile(path: "/proc/self/mem") }

  func bytes(at address: UInt64, count: Int) -> [UInt8] { file.bytes(at: address, count: count) }
}
