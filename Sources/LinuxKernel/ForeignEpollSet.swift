import Glibc

extension EpollSet {
  /// The epoll set of this process that has a descriptor in it: of a library that keeps its own to itself, and can be made
  /// to put one there. Nil where there is none.
  ///
  /// - Complexity: reads a file of the kernel's for each descriptor of the process.
  package static func number(holding descriptor: CInt) throws(KernelError) -> CInt? {
    let folder = try OpenFolder(path: "/proc/self/fdinfo")
    var names: [String] = []
    try folder.forEachName { names.append($0) }
    for name in names {
      guard let number = CInt(name), let file = try? folder.file(named: name),
        let text = try? file.contents(limit: Self.limit)
      else { continue }
      // "tfd:        7 events:       19 …", a line for each descriptor of the set.
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      for line in lines where line.hasPrefix("tfd:") {
        let fields = line.split(separator: " ")
        if fields.count > 1, CInt(fields[1]) == descriptor { return number }
      }
    }
    return nil
  }

  /// Whether there is something to be had of one, by its number.
  package static func isReadable(_ number: CInt) -> Bool {
    var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    // SAFETY: the call reads and writes one entry, which outlives it.
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// What is read of one such file: some ten thousand descriptors.
  private static let limit = 1 << 20
}
