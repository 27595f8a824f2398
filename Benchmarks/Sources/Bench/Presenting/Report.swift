import Workbench

/// What was measured, where, when, and under what.
struct Report: Sendable {
  let samples: Samples
  let plan: Plan
  let circumstances: Circumstances

  struct Circumstances: Sendable {
    let machine: Machine
    /// As `2026-11-30`.
    let date: String
    let repetitions: Int
    let duration: Duration
    /// How many processes were running or waiting to, before and after.
    let loadAverages: (before: Double, after: Double)
  }

  /// One line on all of it.
  var foot: String {
    let seconds = Int((circumstances.duration / .seconds(1)).rounded())
    let (before, after) = circumstances.loadAverages
    let repetitions = circumstances.repetitions
    return "\(repetitions) \(repetitions == 1 ? "repetition" : "repetitions") in \(seconds) s on "
      + "\(circumstances.date), on \(circumstances.machine.description); load \(threeDigits(before)) before, "
      + "\(threeDigits(after)) after."
  }

  /// The loads that the plan has, in order.
  var loads: [Load] { Load.allCases.filter { load in plan.entries.contains { $0.loads.contains(load) } } }

  /// The table with those of its columns that anything was measured of.
  func measured(_ table: Table) -> Table {
    let columns = table.columns.filter { column in
      Peers.all.contains { peer in
        loads.contains { samples.median(column.key, of: key(peer, column, $0)) != nil }
      }
    }
    return Table(name: table.name, title: table.title, columns: columns)
  }

  /// The rows of a table: peers that have a figure of it.
  func peers(of table: Table) -> [Peer] {
    Peers.all.filter { peer in
      table.columns.contains { column in
        loads.contains { samples.median(column.key, of: key(peer, column, $0)) != nil }
      }
    }
  }

  func key(_ peer: Peer, _ column: Table.Column, _ load: Load) -> Samples.Key {
    Samples.Key(peer: peer.name, cell: column.cell, load: load)
  }

  /// Why peers lack figures of a table, a line each.
  func notes(of table: Table) -> [String] {
    Peers.all.compactMap { peer in
      table.columns.lazy.compactMap { column in
        samples.exclusion(of: key(peer, column, .idle)).map { exclusion in
          "\(peer.name): \(exclusion.mark)"
            + (exclusion.reason.isEmpty ? "" : ", \(column.cell): \(exclusion.reason)")
        }
      }.first
    }
  }

  /// The peer's name with its library's version.
  func title(of peer: Peer) -> String {
    peer.name + (samples.version(of: peer.name).map { " " + $0.prefix { $0 != "-" } } ?? "")
  }

  /// The median in the column's unit; its exclusion's mark; or nothing.
  func median(_ peer: Peer, _ column: Table.Column, _ load: Load) -> String {
    let key = key(peer, column, load)
    if let median = samples.median(column.key, of: key) { return threeDigits(median / column.divisor) }
    return samples.exclusion(of: key)?.mark ?? ""
  }

  func minimum(_ peer: Peer, _ column: Table.Column, _ load: Load) -> String? {
    column.minimum.flatMap { samples.minimum($0, of: key(peer, column, load)) }
      .map { threeDigits($0 / column.divisor) }
  }

  /// The goals that the plan measures.
  var goals: [Goal] {
    Goals.all.filter { goal in loads.contains { goal.isMeasured(by: plan, under: $0) } }
  }
}
