import Goals

extension Score {
  /// The tables for people.
  public func text(stallsMin: Int) -> String {
    [heading, cellTable, shares, detectionCurve, confusionTable, kindLine, goalLines(stallsMin)]
      .joined(separator: "\n")
  }

  private var heading: String {
    "T = \(Figure.decimal(Double(threshold) / 1e6)) ms, seed \(seed), \(total.injections) injections in "
      + "\(duration / 1_000_000_000) s. Found: stalls from 1.1 T on. Late: ms from start + T to the monitor's certainty.\n"
  }

  private var cellTable: String {
    var table = Table([
      "cell", "done", "stalls", "found", "false", "late p50", "p99", "error p99", "exact", "path", "class",
      "phase",
      "samples", "dropped", "cut", "handler p99",
    ])
    for (name, tally) in cells { table.add(Self.row(name, tally)) }
    table.add(Self.row("all", total))
    return table.text
  }

  private static func row(_ name: String, _ tally: Tally) -> [String] {
    let stalls = tally.found.total
    return [
      name, "\(tally.injections)", "\(stalls)", stalls == 0 ? "-" : "\(tally.found.hits)",
      "\(tally.right.total - tally.right.hits)",
      Figure.decimal(percentile(0.5, of: tally.detection)),
      Figure.decimal(percentile(0.99, of: tally.detection)),
      Figure.decimal(percentile(0.99, of: tally.durationErrors)), Figure.percent(tally.exact.share),
      Figure.percent(tally.onPath.share), Figure.percent(tally.classes.share),
      Figure.percent(tally.phases.share),
      "\(tally.samples)", "\(tally.dropped)", "\(tally.cutShort)",
      Figure.decimal(percentile(0.99, of: tally.costs)),
    ]
  }

  private var shares: String {
    var table = Table(["", "%", "of", "95 %"])
    let rows: [(String, Proportion)] = [
      ("precision", total.right), ("recall", total.found), ("exact culprit", total.exact),
      ("on path", total.onPath),
      ("class", total.classes), ("phase", total.phases), ("kind", total.kinds),
      ("duration within 10 ms or 2 %", total.durations), ("uncertainty covers start and end", total.covered),
    ]
    for (name, proportion) in rows {
      table.add([
        name, Figure.percent(proportion.share), "\(proportion.total)", Figure.interval(proportion),
      ])
    }
    let mean = total.shareErrors.reduce(0, +) / Double(max(1, total.shareErrors.count))
    return table.text
      + "culprit's share wrong by \(Figure.percent(mean)) points in the mean; handler "
      + "\(Figure.decimal(percentile(0.5, of: total.costs))) µs p50, "
      + "\(Figure.decimal(percentile(0.99, of: total.costs))) p99, of \(total.costs.count); "
      + "\(total.unjudged) told in the band or of starved loops, not judged\n"
  }

  private var detectionCurve: String {
    var table = Table(["length, T", "done", "told", "%"])
    for (index, proportion) in curve.counts.enumerated() where proportion.total > 0 {
      let upper = index + 1 < Curve.bounds.count ? "\(Curve.bounds[index + 1])" : ""
      table.add([
        "\(Curve.bounds[index])–\(upper)", "\(proportion.total)", "\(proportion.hits)",
        Figure.percent(proportion.share),
      ])
    }
    return table.text
  }

  private static let classNames = ["busy", "blocked", "starved", "mixed", "none"]

  private var confusionTable: String {
    var table = Table(["was \\ told"] + Self.classNames)
    for expected in Self.classNames.dropLast() + ["unclear"] {
      guard let row = total.confusion[expected] else { continue }
      table.add([expected] + Self.classNames.map { "\(row[$0] ?? 0)" })
    }
    return table.text
  }

  private var kindLine: String {
    "kinds told of stalls: "
      + total.told.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + "\n"
  }

  private func goalLines(_ stallsMin: Int) -> String {
    goals(stallsMin: stallsMin).map(\.line).joined()
  }
}
