/// How many there may be of what in an operation, and why: the lines of a file.
///
/// A line is `operation measure limit reason`, with any number of spaces between; what begins with `#` is for people.
struct Limits: Sendable {
  /// One line of the file that is a limit.
  struct Limit: Sendable, Equatable {
    var number: Int
    let reason: String
  }

  /// What is wrong with a line.
  struct Malformed: Error, Equatable, CustomStringConvertible {
    let line: Int
    let complaint: String

    var description: String { "line \(line) of the limits: \(complaint)" }
  }

  private var lines: [Line] = []

  private enum Line: Sendable {
    case text(Substring)
    case limit(operation: String, Measure, Limit)
  }

  init(text: String) throws(Malformed) {
    var known: Set<String> = []
    let split = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in (split.last == "" ? split.dropLast() : split[...]).enumerated() {
      guard !line.isEmpty, !line.hasPrefix("#") else {
        lines.append(.text(line))
        continue
      }
      let parsed = try Self.parse(line, at: index + 1)
      if case .limit(let operation, let measure, _) = parsed,
        !known.insert("\(operation) \(measure)").inserted
      {
        throw Malformed(line: index + 1, complaint: "a second limit of \(operation)'s \(measure.rawValue)")
      }
      lines.append(parsed)
    }
  }

  private static func parse(_ line: Substring, at number: Int) throws(Malformed) -> Line {
    let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
    guard parts.count == 4, let measure = Measure(rawValue: parts[1]), let limit = Int(parts[2]), limit >= 0
    else {
      throw Malformed(
        line: number, complaint: "'\(line)' is not an operation, a measure, a limit and its reason")
    }
    let reason = parts[3].drop { $0 == " " }
    return .limit(operation: parts[0], measure, Limit(number: limit, reason: String(reason)))
  }

  /// Every operation that has a limit, once.
  var operations: Set<String> {
    Set(lines.compactMap { if case .limit(let operation, _, _) = $0 { operation } else { nil } })
  }

  subscript(operation: String, measure: Measure) -> Limit? {
    for case .limit(operation, measure, let limit) in lines { return limit }
    return nil
  }

  /// Lowers a limit. Raising one is for people, who also say why.
  mutating func lower(_ operation: String, _ measure: Measure, to number: Int) {
    for index in lines.indices {
      guard case .limit(operation, measure, var limit) = lines[index] else { continue }
      precondition(number < limit.number, "\(number) is not below \(limit.number)")
      limit.number = number
      lines[index] = .limit(operation: operation, measure, limit)
    }
  }

  /// The file, its columns aligned.
  var text: String {
    let width = operations.map(\.count).max() ?? 0
    return lines.map { line in
      switch line {
      case .text(let text): text + "\n"
      case .limit(let operation, let measure, let limit):
        operation.padded(to: width) + "  " + measure.rawValue.padded(to: 12) + "  "
          + "\(limit.number)".padded(to: 6, isNumber: true) + "  " + limit.reason + "\n"
      }
    }.joined()
  }
}

extension String {
  /// With spaces behind it, or before it if it is a number.
  func padded(to width: Int, isNumber: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return isNumber ? spaces + self : self + spaces
  }
}
