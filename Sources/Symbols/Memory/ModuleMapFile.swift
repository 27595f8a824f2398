package import LinuxKernel

/// The file that lists a process's mappings. Remembers what it said last, as it seldom changes.
///
/// Used by one thread.
package final class ModuleMapFile {
  private let path: String
  private var text: [UInt8] = []
  private var map = ModuleMap(parsing: [])

  /// - Parameter process: its number, or nil for the one that runs this.
  package init(process: Int32? = nil) {
    path = "/proc/\(process.map(String.init) ?? "self")/maps"
  }

  /// The executable mappings as they are now. 40 to 400 µs, nearly all of it the kernel's.
  package func current() throws(KernelError) -> ModuleMap {
    let now = try ReadOnlyFile.contents(ofPath: path, expecting: max(1 << 16, text.count + 4096))
    if now != text {
      text = now
      map = ModuleMap(parsing: now)
    }
    return map
  }
}
