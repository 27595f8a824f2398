/// The functions of a file by address, from .symtab or, where that was stripped, .dynsym.
package struct SymbolTable {
  package struct Symbol: Equatable {
    package let name: String
    package let address: UInt64
  }

  private struct Entry {
    let address: UInt64
    let byteCount: UInt32
    let nameOffset: UInt32
    /// Of no type: labels in assembly code.
    let isLabel: Bool
  }

  private static let entryByteCount = 24
  /// How far a symbol without a size may reach.
  private static let sizelessReach: UInt64 = 4096
  /// How many symbols that start before an address are looked at: aliases and nested ones.
  private static let candidateCount = 8

  private let entries: [Entry]
  private let names: SectionContents

  package init?(_ file: ElfFile) {
    guard
      let (table, names) = file.linkedContents(ofSection: ".symtab")
        ?? file.linkedContents(ofSection: ".dynsym")
    else { return nil }
    self.names = names
    let bytes = table.all
    var entries: [Entry] = []
    entries.reserveCapacity(bytes.count / Self.entryByteCount / 2)
    var offset = 0
    while offset <= bytes.count - Self.entryByteCount {
      if let entry = Self.entry(bytes, at: offset, nameByteCount: names.byteCount) { entries.append(entry) }
      offset += Self.entryByteCount
    }
    // Larger first at one address, so that the last one that covers an address is the innermost.
    entries.sort {
      $0.address != $1.address ? $0.address < $1.address : $0.byteCount > $1.byteCount
    }
    self.entries = entries
  }

  /// Nil for what is not code that is defined here.
  @inline(__always)
  private static func entry(_ bytes: [UInt8], at offset: Int, nameByteCount: UInt64) -> Entry? {
    let noType: UInt8 = 0
    let function: UInt8 = 2
    let indirectFunction: UInt8 = 10
    let firstReservedSection: UInt16 = 0xff00
    let type = bytes[offset + 4] & 15
    guard type == function || type == noType || type == indirectFunction,
      let section: UInt16 = bytes.integer(at: offset + 6), section != 0, section < firstReservedSection,
      let address: UInt64 = bytes.integer(at: offset + 8), address != 0,
      let nameOffset: UInt32 = bytes.integer(at: offset), nameOffset < nameByteCount,
      let size: UInt64 = bytes.integer(at: offset + 16)
    else { return nil }
    return Entry(
      address: address, byteCount: UInt32(clamping: size), nameOffset: nameOffset, isLabel: type == noType)
  }

  package var count: Int { entries.count }

  /// The symbol that covers an address of the file.
  package func symbol(at address: UInt64) -> Symbol? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    let nearest = low - 1
    for position in stride(from: nearest, to: max(-1, nearest - Self.candidateCount), by: -1) {
      guard covers(position, address, isNearest: position == nearest) else { continue }
      if let name = bestName(position) { return Symbol(name: name, address: entries[position].address) }
    }
    return nil
  }

  private func covers(_ position: Int, _ address: UInt64, isNearest: Bool) -> Bool {
    let entry = entries[position]
    let distance = address - entry.address
    if entry.byteCount > 0 { return distance < entry.byteCount }
    return distance == 0 || (isNearest && distance < Self.sizelessReach)
  }

  /// Of several names for the same function, the one that a program would use: `read`, not `__GI___read`.
  private func bestName(_ position: Int) -> String? {
    let aliasCountMax = 8
    var best: String?
    var candidate = position
    while candidate >= 0, position - candidate < aliasCountMax,
      entries[candidate].address == entries[position].address,
      entries[candidate].byteCount == entries[position].byteCount
    {
      if let name = name(of: entries[candidate]), best.map({ Self.isPlainer(name, than: $0) }) ?? true {
        best = name
      }
      candidate -= 1
    }
    return best
  }

  /// Nil for a label inside a function: it has no size and a plain name.
  private func name(of entry: Entry) -> String? {
    guard let name = names.text(at: UInt64(entry.nameOffset)), !name.isEmpty else { return nil }
    if entry.isLabel, entry.byteCount == 0, !name.hasPrefix("_") { return nil }
    // Behind the sign stands the version that a dynamic linker asks for.
    return name.split(separator: "@", maxSplits: 1).first.map(String.init)
  }

  private static func isPlainer(_ name: String, than other: String) -> Bool {
    func rank(_ name: String) -> (Int, Int) {
      (name.utf8.prefix { $0 == UInt8(ascii: "_") }.count, name.utf8.count)
    }
    return rank(name) <= rank(other)
  }
}
