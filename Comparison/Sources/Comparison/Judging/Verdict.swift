/// What the findings of both sides come to. Computed from them and from nothing else.
enum Verdict: String, Sendable, CaseIterable {
  /// CFRunLoop does it wrong, Mainspring right.
  case mended
  /// Both do it right, and Mainspring at no higher cost: the fault does not show here.
  case asGood = "as good"
  /// CFRunLoop does it right, and Mainspring wrong or at a higher cost.
  case worse
  /// Both do it wrong.
  case notMended = "not mended"
  /// A side could not be measured.
  case notMeasured = "not measured"

  /// What a cost has to be more than times the other's to be higher: two measurements of one thing differ by less.
  static let tolerance = 1.5

  init(coreFoundation: Finding, mainspring: Finding) {
    self =
      switch (coreFoundation.isRight, mainspring.isRight) {
      case (false, true): .mended
      case (false, false): .notMended
      case (true, false): .worse
      case (true, true): Self.isCostlier(mainspring, than: coreFoundation) ? .worse : .asGood
      }
  }

  private static func isCostlier(_ one: Finding, than other: Finding) -> Bool {
    guard let cost = one.cost, let otherCost = other.cost else { return false }
    return cost > otherCost * tolerance
  }

  /// Whether Mainspring is as it must be.
  var isAcceptable: Bool { self == .mended || self == .asGood }

  /// For eyes that look down the column.
  var mark: String {
    switch self {
    case .mended: "✓"
    case .asGood: "="
    case .worse, .notMended: "✗"
    case .notMeasured: "?"
    }
  }
}
