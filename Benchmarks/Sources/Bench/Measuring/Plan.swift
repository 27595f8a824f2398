/// What is measured: cells, each with its peers.
struct Plan: Sendable {
  /// A cell, the peers that are compared in it, and when.
  struct Entry: Sendable {
    let cell: Cell
    var peers: [String]
    var loads: [Load] = Load.allCases
    /// How often in a repetition: more where a run is short, and how it goes is decided when its threads begin.
    var runs = 1
    /// In the first repetition alone: what hardly varies, or takes long.
    var isOnce = false
  }

  /// One run.
  struct Step: Sendable, Equatable {
    let cell: Cell
    let load: Load
    let peer: String
  }

  var entries: [Entry]

  /// The runs of one repetition: each time another peer is the first in its cell, so that nobody always comes after the
  /// same one.
  func steps(of repetition: Int) -> [Step] {
    entries.filter { !$0.isOnce || repetition == 0 }.flatMap { entry in
      entry.loads.flatMap { load in
        (0..<entry.runs).flatMap { run in
          entry.peers.rotated(by: repetition * entry.runs + run).map {
            Step(cell: entry.cell, load: load, peer: $0)
          }
        }
      }
    }
  }

  /// Of this plan what the workloads' beginnings, the peers and the loads say; nil is all.
  func only(workloads: [String]?, peers: [String]?, loads: [Load]) -> Plan {
    Plan(
      entries: entries.compactMap { entry in
        let isWanted = workloads?.contains { entry.cell.workload.hasPrefix($0) } ?? true
        var kept = entry
        kept.peers = entry.peers.filter { peers?.contains($0) ?? true }
        kept.loads = entry.loads.filter(loads.contains)
        // What is measured on the idle machine alone is measured so, too, if only the hog was asked for.
        if kept.loads.isEmpty { kept.loads = entry.loads }
        return isWanted && !kept.peers.isEmpty ? kept : nil
      })
  }
}

extension Array {
  fileprivate func rotated(by distance: Int) -> [Element] {
    guard count > 1 else { return self }
    let start = distance % count
    return Array(self[start...] + self[..<start])
  }
}
