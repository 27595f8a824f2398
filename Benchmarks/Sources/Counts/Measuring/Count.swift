/// What was counted while an operation was done so many times, and three times as many.
struct Count: Sendable, Equatable {
  var once: Int
  var thrice: Int
  /// What it is made of, where the tool tells.
  var parts: [String: Part] = [:]

  struct Part: Sendable, Equatable {
    var once = 0
    var thrice = 0
  }

  /// How many there are in one operation, on average.
  func each(of times: Int) -> Double { Double(thrice - once) / Double(2 * times) }

  /// The parts that are in an operation, most first.
  func parts(of times: Int) -> [(name: String, each: Double)] {
    parts.map { ($0.key, Double($0.value.thrice - $0.value.once) / Double(2 * times)) }
      .filter { $0.1 >= 0.005 }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }
}

extension Count {
  /// From two numbers on two lines, the last that a measured program writes.
  init(lines text: String) throws(Unreadable) {
    let numbers = text.split(separator: "\n").suffix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { throw Unreadable(what: "the measured program's counts", text: text) }
    self.init(once: numbers[0], thrice: numbers[1])
  }
}

extension Count {
  init(profiles: (once: CallgrindProfile, thrice: CallgrindProfile)) {
    self.init(once: profiles.once.total, thrice: profiles.thrice.total)
  }
}

/// What a tool wrote is not what it writes as a rule.
struct Unreadable: Error, CustomStringConvertible {
  let what: String
  let text: String

  var description: String { "\(what) cannot be read: '\(text.prefix(200))'" }
}
