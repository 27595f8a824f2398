/// One executable mapping of a program or library.
package struct Module: Hashable, Sendable {
  /// The addresses of its code.
  package let text: Range<UInt64>
  /// Where the file's first byte is mapped: the ELF header.
  package let base: UInt64
  /// Which file it is, whatever its name says by now.
  package let device: UInt64
  package let inode: UInt64
  /// The file as it was called when it was mapped, or "[vdso]".
  package let path: String

  package init(text: Range<UInt64>, base: UInt64, device: UInt64, inode: UInt64, path: String) {
    self.text = text
    self.base = base
    self.device = device
    self.inode = inode
    self.path = path
  }

  /// Whether it is the kernel's own library, which no file holds.
  package var isVirtual: Bool { path == "[vdso]" }

  /// From the first byte of the file to the end of its code, at most 1 MiB.
  var byteCountFromBase: Int { Int(min(text.upperBound &- base, 1 << 20)) }
}
