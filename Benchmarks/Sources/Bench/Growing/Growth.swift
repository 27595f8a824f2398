/// How what an operation costs grows with what there is: a plot.
struct Growth: Sendable {
  /// The name of its files.
  let name: String
  let title: String
  /// What there is more and more of, for the axis.
  let what: String
  let sizes: [Int]
  let lines: [Line]

  /// One line of the plot: a figure of a peer.
  struct Line: Sendable {
    let title: String
    let peer: String
    let workload: String
    let key: String
  }

  /// The data, a line a size, below what the plot is to say; a figure that is missing is a hyphen.
  func table(of samples: Samples) -> String {
    let heads = [what] + lines.map(\.title)
    let rows = sizes.map { size in
      [String(size)]
        + lines.map { line in
          samples.median(
            line.key, of: Samples.Key(peer: line.peer, cell: Cell(line.workload, size), load: .idle)
          ).map { String(($0 * 10).rounded() / 10) } ?? "-"
        }
    }
    return "# \(title)\n" + ([heads] + rows).map { $0.joined(separator: "\t") + "\n" }.joined()
  }
}

extension Plan {
  /// What these growths are made of; a cell that several have in common is measured once.
  static func of(_ growths: [Growth]) -> Plan {
    var entries: [Entry] = []
    for growth in growths {
      for size in growth.sizes {
        for line in growth.lines {
          let cell = Cell(line.workload, size)
          if let index = entries.firstIndex(where: { $0.cell == cell }) {
            if !entries[index].peers.contains(line.peer) { entries[index].peers.append(line.peer) }
          } else {
            entries.append(Entry(cell: cell, peers: [line.peer], loads: [.idle]))
          }
        }
      }
    }
    return Plan(entries: entries)
  }
}
