extension Report {
  /// All tables and the goals, for a terminal.
  func text(isColored: Bool) -> String {
    let tables = Tables.all.map(text).filter { !$0.isEmpty }
    return (tables + [goalsText(isColored: isColored), foot + "\n"]).filter { !$0.isEmpty }.joined(
      separator: "\n")
  }

  private func text(of whole: Table) -> String {
    let table = measured(whole)
    let rows = peers(of: table)
    guard !rows.isEmpty else { return "" }
    // The median, the least in brackets, and the median with a hog.
    var grid = Grid(
      columns: [(.left, 0)] + table.columns.flatMap { _ in [(.right, 3), (.left, 1), (.right, 2)] })
    let isWithBoth = loads.count > 1
    grid.add(
      [Grid.Cell("")]
        + table.columns.flatMap { column in
          [Grid.Cell(column.title), Grid.Cell(""), Grid.Cell(isWithBoth && hasHog(column) ? "hog" : "")]
        })
    for peer in rows {
      grid.add(
        [Grid.Cell(title(of: peer))]
          + table.columns.flatMap { column in
            let first = loads[0]
            return [
              Grid.Cell(median(peer, column, first)),
              Grid.Cell(minimum(peer, column, first).map { "(\($0))" } ?? ""),
              Grid.Cell(isWithBoth ? median(peer, column, .hog) : ""),
            ]
          })
    }
    let notes = notes(of: table).map { $0 + "\n" }.joined()
    return table.title + "\n\n" + grid.text(isColored: false) + (notes.isEmpty ? "" : "\n" + notes)
  }

  private func hasHog(_ column: Table.Column) -> Bool {
    plan.entries.contains { $0.cell == column.cell && $0.loads.contains(.hog) }
  }

  /// The goals with a mark each.
  private func goalsText(isColored: Bool) -> String {
    guard !goals.isEmpty else { return "" }
    var grid = Grid(
      columns: [(.left, 0), (.left, 2)]
        + loads.flatMap { _ in [(.left, 3), (.right, 1), (.right, 2), (.right, 2)] })
    grid.add(
      [Grid.Cell("GOALS"), Grid.Cell("")]
        + loads.flatMap { load in
          ["", load == .idle ? "ours" : load.title, "against", "ratio"].map { Grid.Cell($0) }
        })
    var notes: [String] = []
    for goal in goals {
      grid.add(
        [Grid.Cell(goal.workload), Grid.Cell(goal.text)]
          + loads.flatMap { load in cells(of: goal, under: load) })
      notes += self.notes(of: goal)
    }
    let reached = "\(tally.reached) of \(tally.all) reached"
    return grid.text(isColored: isColored) + (notes.isEmpty ? "" : "\n" + notes.map { $0 + "\n" }.joined())
      + "\n" + reached + ", under every load that they were measured under.\n"
  }

  private func cells(of goal: Goal, under load: Load) -> [Grid.Cell] {
    guard goal.isMeasured(by: plan, under: load) else { return [""].map { Grid.Cell($0) } + blank }
    guard let judgement = goal.judged(by: samples, under: load) else { return [Grid.Cell("?")] + blank }
    return [
      Grid.Cell(judgement.mark, judgement.isReached ? .green : .red),
      Grid.Cell(goal.unit.text(judgement.ours)),
      Grid.Cell(goal.unit.text(judgement.theirs)), Grid.Cell(judgement.ratio.map(threeDigits) ?? ""),
    ]
  }

  private var blank: [Grid.Cell] { [Grid.Cell(""), Grid.Cell(""), Grid.Cell("")] }

  /// The floor of a goal, or why it could not be judged.
  func notes(of goal: Goal) -> [String] {
    loads.filter { goal.isMeasured(by: plan, under: $0) }.compactMap { load in
      guard let judgement = goal.judged(by: samples, under: load) else {
        return goal.reason(in: samples, under: load).map { "\(goal.workload), \(goal.text): \($0)" }
      }
      return judgement.floor.map {
        "\(goal.workload), \(goal.text), \(load.title): the floor is \(goal.unit.text($0))"
      }
    }.reduce(into: []) { notes, note in if notes.last != note { notes.append(note) } }
  }

  /// How many goals were judged, and how many of them are reached under every load.
  var tally: (reached: Int, all: Int) {
    let judged = goals.map { goal in loads.compactMap { goal.judged(by: samples, under: $0)?.isReached } }
      .filter { !$0.isEmpty }
    return (judged.count { $0.allSatisfy { $0 } }, judged.count)
  }
}

extension Goal.Judgement {
  var mark: String { isReached ? "✓" : "✗" }
}
