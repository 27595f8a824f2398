import CAllocator
import Glibc

/// What the process holds of the machine.
struct Footprint {
  let residentKiB: Int
  let descriptors: Int
  let threads: Int

  /// The memory is what is in use: what the allocator keeps of a burst that is over is given back first.
  static var now: Footprint {
    allocator_trim()
    return Footprint(
      residentKiB: (statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        * Int(getpagesize()) / 1024,
      descriptors: entries(of: "/proc/self/fd"), threads: entries(of: "/proc/self/task"))
  }

  private static var statm: String {
    guard let file = unsafe fopen("/proc/self/statm", "re") else { return "" }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    // SAFETY: reads at most the array's length into the array.
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func entries(of folder: String) -> Int {
    guard let listing = unsafe opendir(folder) else { return 0 }
    defer { unsafe closedir(listing) }
    var count = 0
    while unsafe readdir(listing) != nil { count += 1 }
    // "." and ".."
    return count - 2
  }
}
