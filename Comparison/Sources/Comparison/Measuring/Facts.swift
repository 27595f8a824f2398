/// What was measured on one side: `key=value` lines, a later one of the same key in place of the earlier.
struct Facts: Sendable, Equatable {
  private var values: [String: String] = [:]

  /// The facts in a side's output; lines that are none are passed over.
  init(output: some StringProtocol) {
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
  }

  /// By key.
  var sorted: [(key: String, value: String)] { values.sorted { $0.key < $1.key } }

  func text(_ key: String) throws(MissingFact) -> String {
    guard let value = values[key] else { throw MissingFact(key: key) }
    return value
  }

  func number(_ key: String) throws(MissingFact) -> Double {
    guard let value = Double(try text(key)) else { throw MissingFact(key: key) }
    return value
  }

  func isTrue(_ key: String) throws(MissingFact) -> Bool {
    guard let value = Bool(try text(key)) else { throw MissingFact(key: key) }
    return value
  }

  /// What the side had last begun, if it said so.
  var during: String? { values[Notes.during] }
}

/// A side did not note what its scenario judges by.
struct MissingFact: Error, Equatable {
  let key: String
}
