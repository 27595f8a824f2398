/// What a peer's program said of a cell, in the line that it printed.
enum Line: Sendable, Equatable {
  case figures(Figures)
  /// Why there are none.
  case excluded(Exclusion)

  init(_ text: some StringProtocol) throws(MalformedLine) {
    let words = String(text).split(separator: " ").map(String.init)
    if words.first == "#" {
      guard words.count >= 5, let exclusion = Exclusion(words[4], words.dropFirst(5).joined(separator: " "))
      else { throw MalformedLine(text: String(text)) }
      self = .excluded(exclusion)
    } else {
      guard words.count >= 5, let first = Double(words[3]) else { throw MalformedLine(text: String(text)) }
      self = .figures(Figures(first: first, pairs: words.dropFirst(5)))
    }
  }
}

/// The figures of one run of a cell, per operation.
struct Figures: Sendable, Equatable {
  private(set) var numbers: [String: Double] = [:]
  private(set) var texts: [String: String] = [:]

  /// The key of the figure that stands first in a line, for most workloads the nanoseconds that an operation took.
  static let first = "ns"
  /// The key of what an operation took in the middle one of twenty stretches of the run.
  static let middle = "mid"

  init(first: Double, pairs: some Sequence<String>) {
    numbers[Self.first] = first
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if let number = Double(parts[1]) { numbers[parts[0]] = number } else { texts[parts[0]] = parts[1] }
    }
    // Whether a sleeper is woken by a descriptor or by a futex, it is one call.
    if let writes = numbers["wr"], let wakes = numbers["fx"] { numbers["bells"] = writes + wakes }
  }
}

/// Why a peer has no figures for a cell.
enum Exclusion: Sendable, Equatable {
  /// The peer has not what the workload needs.
  case notAvailable(String)
  /// It took longer than allowed.
  case over(String)
  /// It failed.
  case failed(String)

  fileprivate init?(_ kind: String, _ reason: String) {
    switch kind {
    case "n/a": self = .notAvailable(reason)
    case "cap": self = .over(reason)
    default: return nil
    }
  }

  /// In the place of a figure.
  var mark: String {
    switch self {
    case .notAvailable: "n/a"
    case .over: "over"
    case .failed: "failed"
    }
  }

  var reason: String {
    switch self {
    case .notAvailable(let reason), .over(let reason), .failed(let reason): reason
    }
  }
}

/// A line that is none of those that a peer's program prints.
struct MalformedLine: Error, Equatable {
  let text: String
}
