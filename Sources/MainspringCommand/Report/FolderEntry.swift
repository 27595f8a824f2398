import LinuxKernel

/// What a name in a folder of reports says of the file.
enum FolderEntry {
  /// A report, packed or not.
  case report
  /// A folder of one day's reports: `2026-11-30`.
  case day
  /// What is beside reports: their text for people, and hidden files of the monitor's.
  case companion
  /// Nobody knows what.
  case stranger

  init(_ name: String) {
    if name.hasPrefix(".") || name.hasSuffix(".txt") {
      self = .companion
    } else if name.hasSuffix(".json") || name.hasSuffix(".json.gz") {
      self = .report
    } else if Self.isDay(name) {
      self = .day
    } else {
      self = .stranger
    }
  }

  private static func isDay(_ name: String) -> Bool {
    let pattern = Array("0000-00-00".utf8)
    return name.utf8.count == pattern.count
      && zip(name.utf8, pattern).allSatisfy { byte, expected in
        expected == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == expected
      }
  }
}

extension OpenFolder {
  /// More names than a folder of reports ever has are not read.
  private static let nameCountMax = 100_000

  /// The names in it: those of reports begin with their time, so that the oldest come first.
  var sortedNames: [String] {
    get throws(KernelError) {
      var names: [String] = []
      try forEachName { if names.count < Self.nameCountMax { names.append($0) } }
      return names.sorted()
    }
  }
}
