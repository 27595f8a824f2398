/// Something that Mainspring is to reach, as a relation between what was measured of it and a limit.
struct Goal: Sendable {
  /// The workload, as the tables have it.
  let workload: String
  /// What is compared and how, in a few words.
  let text: String
  let ours: Amount
  let limit: Limit
  let unit: Unit
  /// What no loop can be better than, to be shown beside.
  var floor: Amount?

  /// A limit: so many times an amount, and something on top of it.
  struct Limit: Sendable {
    let amount: Amount
    var factor = 1.0
    var plus = 0.0
    /// Whether ours may not be less, in place of not more.
    var isLeast = false

    func allows(_ ours: Double, of theirs: Double) -> Bool {
      let limit = theirs * factor + plus
      return isLeast ? ours >= limit : ours <= limit
    }
  }

  /// What was found under one load.
  struct Judgement: Sendable, Equatable {
    let ours: Double
    /// The amount of the limit, without its factor.
    let theirs: Double
    let isReached: Bool
    let floor: Double?

    /// Ours by theirs, or nil if theirs is nothing.
    var ratio: Double? { theirs == 0 ? nil : ours / theirs }
  }

  /// The judgement, or nil where something was not measured.
  func judged(by samples: Samples, under load: Load) -> Judgement? {
    guard let ours = ours.value(in: samples, under: load),
      let theirs = limit.amount.value(in: samples, under: load)
    else { return nil }
    return Judgement(
      ours: ours, theirs: theirs, isReached: limit.allows(ours, of: theirs),
      floor: floor?.value(in: samples, under: load))
  }

  /// Why something was not measured, of our own side first.
  func reason(in samples: Samples, under load: Load) -> String? {
    (ours.origins + limit.amount.origins).lazy.compactMap { origin in
      samples.exclusion(of: Samples.Key(peer: origin.peer, cell: origin.cell, load: load))
        .map { "\(origin.peer): \($0.reason)" }
    }.first
  }

  /// Whether the plan measures it under that load.
  func isMeasured(by plan: Plan, under load: Load) -> Bool {
    (ours.origins + limit.amount.origins).allSatisfy { origin in
      plan.entries.contains {
        $0.cell == origin.cell && $0.loads.contains(load) && $0.peers.contains(origin.peer)
      }
    }
  }
}
