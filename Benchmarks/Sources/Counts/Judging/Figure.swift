/// How many there are of one thing in one operation, beside how many there may be.
struct Figure: Sendable, Equatable {
  let measure: Measure
  /// On average.
  let each: Double
  let limit: Limits.Limit?
  var steadiness = Operation.Steadiness.steady
  /// Whether the limits are meant for this machine.
  var isJudged = true

  /// How it stands to its limit.
  enum Verdict: Sendable, Equatable {
    case within
    case over
    /// So far below that the limit should be lowered, to that number.
    case wellBelow(Int)
    case noLimit
  }

  /// Calls and allocations are whole numbers but for one that the scheduler or the allocator slips in among many
  /// operations; where threads wait for each other, that happens more often.
  private var slip: Double { steadiness == .varying ? 0.45 : 0.05 }

  var verdict: Verdict {
    guard isJudged else { return .within }
    guard let limit else { return .noLimit }
    if each > Double(limit.number) + (measure == .instructions ? 0 : slip) { return .over }
    return isWellBelow(limit.number) ? .wellBelow(fittingLimit) : .within
  }

  private func isWellBelow(_ number: Int) -> Bool {
    switch measure {
    case .calls, .allocations: fittingLimit < number && each < Double(number) - margin - 0.5
    // Once as far below as a limit that was just set is: that alone is no news.
    case .instructions: each + 2 * margin < Double(number)
    }
  }

  /// The limit that it would be given today.
  var fittingLimit: Int {
    switch measure {
    case .calls, .allocations: max(0, Int((each + margin - slip).rounded(.up)))
    case .instructions: Int((each + margin).rounded(.up))
    }
  }

  /// By how much a count differs from run to run, on an idle machine or a busy one, and some more.
  private var margin: Double {
    switch (measure, steadiness) {
    case (.calls, .steady), (.allocations, _): 0
    case (.calls, .varying): 0.5
    case (.instructions, .steady): max(3, each * 0.02)
    case (.instructions, .varying): max(3, each * 0.05)
    }
  }

  /// As people read it: whole where it is, or nearly.
  var text: String { Self.text(of: each) }

  static func text(of number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    if number >= 100 || hundredths % 100 == 0 { return "\(Int(number.rounded()))" }
    let fraction = "\(hundredths % 100)"
    return "\(hundredths / 100)." + String(repeating: "0", count: 2 - fraction.count) + fraction
  }
}
