/// What is wrong with an injection file, and where.
public struct GridError: Error, Equatable, CustomStringConvertible {
  /// Counted from one.
  public var line: Int
  public var message: String

  public var description: String { "line \(line): \(message)" }
}

extension Grid {
  /// The grid that an injection file describes.
  ///
  /// A line is a setting, `threshold 50ms`, `seed 7`, `gap 4ms..24ms`, or a cell, a name and a colon and then
  /// `key=value` pairs. Empty lines and what follows `#` are left out.
  /// - Throws: the first thing that is wrong.
  public init(text: String) throws(GridError) {
    self.init()
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      do throws(Complaint) {
        try read(line.prefix { $0 != "#" })
      } catch {
        throw GridError(line: number, message: error.message)
      }
    }
    guard !cells.isEmpty else { throw GridError(line: max(1, number), message: "there is no cell") }
  }

  private struct Complaint: Error { let message: String }

  private mutating func read(_ line: Substring) throws(Complaint) {
    let words = line.split { $0.isWhitespace }
    guard let first = words.first else { return }
    if first.hasSuffix(":") {
      cells.append(try cell(named: String(first.dropLast()), words.dropFirst()))
    } else if words.count == 2 {
      try set(first, words[1])
    } else {
      throw Complaint(
        message: "'\(first)' begins neither a cell (NAME: key=value …) nor a setting (KEY VALUE)")
    }
  }

  private mutating func set(_ key: Substring, _ value: Substring) throws(Complaint) {
    switch key {
    case "threshold": threshold = try time(key, value)
    case "saturation": saturation = try time(key, value)
    case "starvation": starvation = try time(key, value)
    case "seed":
      guard let number = UInt64(value) else { throw Complaint(message: "seed '\(value)' is no number") }
      seed = number
    case "gap":
      guard let lengths = Lengths(value) else {
        throw Complaint(message: "gap '\(value)' is no length: 4ms..24ms")
      }
      gap = lengths
    default:
      throw Complaint(message: "there is no setting '\(key)': threshold, saturation, starvation, seed, gap")
    }
  }

  private func time(_ key: Substring, _ value: Substring) throws(Complaint) -> UInt64 {
    guard let length = Length(value), length.thresholds == 0, length.nanoseconds >= 20e6 else {
      throw Complaint(message: "\(key) '\(value)' is no time of at least 20ms")
    }
    guard cells.isEmpty else { throw Complaint(message: "\(key) is to be set before the first cell") }
    return length.resolved(threshold: 0)
  }

  private func cell(named name: String, _ words: ArraySlice<Substring>) throws(Complaint) -> Cell {
    guard !name.isEmpty else { throw Complaint(message: "a cell without a name") }
    guard !cells.contains(where: { $0.name == name }) else {
      throw Complaint(message: "there are two cells called '\(name)'")
    }
    var cell = Cell(name: name)
    var seen: Set<Substring> = []
    for word in words {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { throw Complaint(message: "'\(word)' is not key=value") }
      guard seen.insert(pair[0]).inserted else { throw Complaint(message: "'\(pair[0])' is given twice") }
      try set(pair[0], pair[1], of: &cell)
    }
    for key in ["do", "length", "count"] where !seen.contains(key[...]) {
      throw Complaint(message: "cell '\(name)' lacks \(key)=")
    }
    if let reason = cell.contradiction { throw Complaint(message: "cell '\(name)': \(reason)") }
    return cell
  }

  private func set(_ key: Substring, _ value: Substring, of cell: inout Cell) throws(Complaint) {
    switch key {
    case "loop": cell.loop = try one(of: LoopName.allCases, value, "loop", \.rawValue)
    case "mode":
      guard ["default", "other"].contains(value) else {
        throw Complaint(message: "there is no mode '\(value)': default, other")
      }
      cell.isInOtherMode = value == "other"
    case "phase": cell.place = try one(of: Place.all, value, "phase", \.name)
    case "do": cell.work = try one(of: Work.allCases, value, "work", \.rawValue)
    case "length":
      guard let lengths = Lengths(value) else {
        throw Complaint(message: "length '\(value)' is none: 1.2T, 60ms, 1.2T..3T, 2T,10T")
      }
      cell.lengths = lengths
    case "count":
      guard let count = Int(value), (1...1_000_000).contains(count) else {
        throw Complaint(message: "count '\(value)' is no number from 1 to 1000000")
      }
      cell.count = count
    case "with":
      for part in value.split(separator: "+", omittingEmptySubsequences: false) {
        guard let hostility = Hostility(part) else {
          let all = Hostility.spellings.joined(separator: ", ")
          throw Complaint(message: "there is no hostility '\(part)': \(all)")
        }
        cell.hostilities.append(hostility)
      }
    default: throw Complaint(message: "there is no '\(key)=': loop, mode, phase, do, length, count, with")
    }
  }

  private func one<Value>(
    of all: [Value], _ name: Substring, _ what: String, _ spelling: (Value) -> String
  ) throws(Complaint) -> Value {
    if let value = all.first(where: { spelling($0) == name }) { return value }
    throw Complaint(
      message: "there is no \(what) '\(name)': " + all.map(spelling).joined(separator: ", "))
  }
}
