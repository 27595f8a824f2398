import LinuxKernel

/// The days of an archive: `2026-11-30`, by UTC.
enum Day {
  /// The day of a stamp that begins with `20261130`.
  static func name(ofStamp stamp: Substring) -> String {
    let digits = Array(stamp.utf8.prefix(8))
    let parts = [digits[0..<4], digits[4..<6], digits[6..<8]]
    return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  private static let pattern = Array("0000-00-00".utf8)

  static func isName(_ name: String) -> Bool {
    name.utf8.count == pattern.count
      && zip(name.utf8, pattern).allSatisfy { $1 == UInt8(ascii: "0") ? $0.isDecimalDigit : $0 == $1 }
  }
}

/// The folders of the days in an archive's folder.
enum DayFolders {
  /// Calls `body` with each, the oldest first. What only has such a name — a file, a link — is left out.
  static func forEach(
    in root: borrowing OpenFolder, _ body: (String, borrowing OpenFolder) throws(KernelError) -> Void
  ) throws(KernelError) {
    var names: [String] = []
    try root.forEachName { if Day.isName($0) { names.append($0) } }
    for name in names.sorted() {
      let folder: OpenFolder
      do throws(KernelError) { folder = try root.folder(named: name) } catch {
        // No folder, or taken away meanwhile, or not ours to look into.
        continue
      }
      try body(name, folder)
    }
  }
}
