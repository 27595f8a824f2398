public import TruthLog

/// A run of the injector against what one teller told.
public struct Score: Sendable {
  public let teller: String
  public let threshold: UInt64
  public let seed: UInt64
  /// ns.
  public let duration: UInt64
  public private(set) var cells: [(name: String, tally: Tally)] = []
  public private(set) var total = Tally()
  public private(set) var curve = Curve()
  /// What is to be looked into, a line each.
  public private(set) var complaints: [String] = []

  /// - Parameter loops: only these; nil for all.
  public init(_ session: Session, teller: String, loops: Set<String>? = nil) {
    self.teller = teller
    threshold = session.threshold
    seed = session.seed
    duration = session.duration
    let told = session.told.filter { $0.teller == teller && (loops?.contains($0.loop) ?? true) }
    let truths = session.truths.filter { loops?.contains($0.loop) ?? true }
    let judged = Self.judge(truths, session)
    let matchable = judged.indices.filter { judged[$0].expectation != .none }
    let matching = Matching(matchable.map { ($0, judged[$0]) }, told)
    var tallies: [String: Tally] = [:]
    var order: [String] = []
    for (index, one) in judged.enumerated() {
      let cell = one.truth.cell
      if tallies[cell] == nil { order.append(cell) }
      let report = matching.reportOfTruth[index].map { told[$0] }
      tallies[cell, default: Tally()].add(one, report)
      total.add(one, report)
      curve.add(one, wasTold: report != nil || Self.isTouched(one, told))
      complain(one, report)
    }
    for (index, report) in told.enumerated() {
      let truth = matching.truthOfReport[index].map { judged[$0] }
      guard Self.isFalse(report, truth) else { continue }
      let cell = Self.cell(at: report.interval.end, truths) ?? "-"
      tallies[cell]?.right.count(false)
      total.right.count(false)
      complaints.append("false alarm in \(cell): \(report.line.text)")
    }
    cells = order.map { ($0, tallies[$0]!) }
  }

  private static func judge(_ truths: [Truth], _ session: Session) -> [Judged] {
    let stops = session.stops.sorted { $0.start < $1.start }
    return truths.map { truth in
      Judged(
        truth, session, stops: stops.filter { $0.overlap(with: truth.interval) > 0 })
    }
  }

  /// For the curve: a report of something short is matched with nothing, and still a report.
  private static func isTouched(_ judged: Judged, _ told: [Told]) -> Bool {
    judged.expectation == .none && judged.truth.isOfLoop
      && told.contains { report in
        report.loop == judged.truth.loop
          && report.interval.overlap(with: judged.truth.interval) * 2 >= judged.truth.interval.length
      }
  }

  private static func isFalse(_ report: Told, _ judged: Judged?) -> Bool {
    switch judged?.expectation {
    case .stall, .band: false
    case .starved, .starvation: !report.saysStarved
    case .some(.none), nil: true
    }
  }

  /// Cells come one after the other: it is the one whose injection began last.
  private static func cell(at time: UInt64, _ truths: [Truth]) -> String? {
    var found: Truth?
    for truth in truths where truth.interval.start <= time {
      if found.map({ $0.interval.start < truth.interval.start }) ?? true { found = truth }
    }
    return found?.cell
  }

  private mutating func complain(_ judged: Judged, _ report: Told?) {
    guard [.stall, .starvation].contains(judged.expectation) else { return }
    guard let report, judged.expectation == .stall || report.saysStarved else {
      complaints.append("missed: \(judged.truth.line.text)")
      return
    }
    guard judged.expectation == .stall else { return }
    if let function = judged.truth.function, report.culprit.map(FunctionName.base) != function {
      complaints.append("culprit \(report.culprit ?? "-") for \(judged.truth.line.text): \(report.line.text)")
    }
    if !(report.verdict.map(ExpectedClass.accepted(of: judged).contains) ?? false) {
      complaints.append("class \(report.verdict ?? "-") for \(judged.truth.line.text): \(report.line.text)")
    }
    if report.phase != judged.truth.phase {
      complaints.append("phase \(report.phase ?? "-") for \(judged.truth.line.text): \(report.line.text)")
    }
  }
}

/// How often something of a length is told, length by length: of the length that was meant, unless it was cut short, for
/// on a busy machine everything lasts longer.
public struct Curve: Sendable {
  /// The lower ends of the stretches, as multiples of the threshold.
  public static let bounds = [0, 0.6, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.5, 2, 4]
  public private(set) var counts = [Proportion](repeating: Proportion(), count: bounds.count)

  mutating func add(_ judged: Judged, wasTold: Bool) {
    // What goes by the clock, or has another threshold, would only blur it.
    guard judged.truth.isOfLoop, judged.truth.meantClass != "measured", judged.truth.kind == "stall" else {
      return
    }
    let length = Double(min(judged.truth.meant, judged.length)) / Double(judged.threshold)
    let index = Self.bounds.lastIndex { $0 <= length } ?? 0
    counts[index].count(wasTold)
  }
}
