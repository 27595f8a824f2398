import LinuxKernel

/// Files that are there as a whole or not at all.
enum WholeFile {
  /// Writes a file under a hidden name and gives it its own then: whoever opens it sees all of it or the one before, wherever
  /// the process is killed and, if the disk keeps its word, the power cut.
  ///
  /// - Parameter writer: the token of the one who writes, by which is known whether a part is still written to.
  static func put(
    _ bytes: [UInt8], as name: String, in folder: borrowing OpenFolder, writer: String
  ) throws(KernelError) {
    let part = PartName.of(name, writer: writer)
    do throws(KernelError) {
      try write(bytes, to: part, in: folder)
      try folder.rename(part, to: name)
    } catch {
      try? folder.remove(part)
      throw error
    }
  }

  private static func write(
    _ bytes: [UInt8], to part: String, in folder: borrowing OpenFolder
  ) throws(KernelError) {
    let file = try make(part, in: folder)
    try file.write(bytes)
    try file.synchronize()
  }

  private static func make(_ part: String, in folder: borrowing OpenFolder) throws(KernelError) -> OpenFile {
    do throws(KernelError) { return try folder.makeFile(named: part) } catch {
      guard error == .exists else { throw error }
      // Left by a failure of ours. Not opened: others may have made a link of it.
      try folder.remove(part)
      return try folder.makeFile(named: part)
    }
  }
}

/// The name of a file that is being written: `.20261130T014442.123Z-0f6d1c3e-5b0a7c11.json.gz.d3b0c6a2.part`.
package enum PartName {
  private static let ending = ".part"

  static func of(_ name: String, writer: String) -> String { ".\(name).\(writer)\(ending)" }

  /// What is to be written, and by whom; nil if it is not such a name.
  package static func parse(_ name: String) -> (report: ReportName, writer: String)? {
    guard name.hasPrefix("."), name.hasSuffix(ending) else { return nil }
    let inner = name.dropFirst().dropLast(ending.count)
    guard let dot = inner.lastIndex(of: "."), let report = ReportName(String(inner[..<dot])) else {
      return nil
    }
    let writer = String(inner[inner.index(after: dot)...])
    return SidecarName.isToken(writer) ? (report, writer) : nil
  }
}
