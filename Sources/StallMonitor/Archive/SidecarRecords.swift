import StallReport

/// What a sidecar says: how the process ended, if it has said so, and which stalls were on, with when they were last seen.
///
/// Text of fixed widths, each line with a checksum of its own: a line that was half written when the power went is left out,
/// and takes no other with it.
package struct SidecarRecords: Equatable {
  /// A stall that was told of and whose last state may not have been written.
  package struct Stall: Equatable {
    /// The stem of its report's name.
    var stem: Substring
    var id: Report.Identifier
    /// When it was last seen to go on, ns, monotonic.
    var seen: UInt64
    /// When it ended, ns, monotonic, if it did.
    var end: UInt64?
  }

  /// Whether the process has said that it ends.
  package var hasEnded = false
  package var stalls: [Stall] = []
  /// Whether something in it could not be read.
  package var isDamaged = false

  // MARK: writing

  private static let title = "mainspring-stalls/1"

  /// The first line, which the end of the process writes anew.
  package static func header(hasEnded: Bool) -> [UInt8] {
    line("\(title) \(hasEnded ? "ended  " : "running")")
  }

  static let headerCount = header(hasEnded: false).count

  /// What follows the header.
  package static func body(_ stalls: [Stall]) -> [UInt8] {
    stalls.flatMap { line("\($0.stem) \($0.id) \(digits($0.seen)) \(digits($0.end ?? 0))") } + lastLine
  }

  /// What stands below it is of a time with more stalls.
  private static let lastLine = line("end")

  /// Of each line about a stall: where one begins does not depend on what stands in those before.
  private static let lineCount: Int = {
    let zero = String(repeating: "0", count: ReportName.stemCount)
    let stall = Stall(stem: zero[...], id: Report.Identifier(high: 0, low: 0), seen: 0)
    return body([stall]).count - lastLine.count
  }()

  private static func line(_ words: String) -> [UInt8] {
    Array("\(words) \(StableHash([words]).digits)\n".utf8)
  }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number)
    return String(repeating: "0", count: 20 - text.count) + text
  }

  // MARK: reading

  /// Of whatever bytes there are. A file without a header is that of a process that was killed while it made it.
  package init(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    hasEnded = Self.words(in: bytes.prefix(Self.headerCount)) == "\(Self.title) ended  "
    var rest = bytes.dropFirst(Self.headerCount)
    while !rest.isEmpty, !rest.starts(with: Self.lastLine) {
      let line = rest.prefix(Self.lineCount)
      rest = rest.dropFirst(Self.lineCount)
      if let stall = Self.words(in: line).flatMap(Stall.init) {
        stalls.append(stall)
      } else {
        isDamaged = true
      }
    }
    if rest.isEmpty { isDamaged = true }
  }

  init(hasEnded: Bool = false, stalls: [Stall] = []) {
    self.hasEnded = hasEnded
    self.stalls = stalls
  }

  /// What a line says, if its checksum holds.
  private static func words(in line: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: line.dropLast(), as: UTF8.self)
    guard let space = text.lastIndex(of: " ") else { return nil }
    let words = String(text[..<space])
    return line.elementsEqual(Self.line(words)) ? words : nil
  }
}

extension SidecarRecords.Stall {
  fileprivate init?(_ line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, let id = Report.Identifier(digits: words[1]), let seen = UInt64(words[2]),
      let end = UInt64(words[3]), words[0].utf8.count == ReportName.stemCount
    else { return nil }
    self.init(stem: words[0], id: id, seen: seen, end: end == 0 ? nil : end)
  }
}

extension Report.Identifier {
  /// Of 32 hexadecimal digits.
  init?(digits: Substring) {
    guard digits.utf8.count == 32, digits.utf8.allSatisfy(\.isHexadecimalDigit),
      let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}
