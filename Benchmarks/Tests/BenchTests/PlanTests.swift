import Testing

@testable import Bench

@Suite struct `Plans` {
  private let plan = Plan(entries: [
    Plan.Entry(cell: Cell("w1", 10), peers: ["a", "b", "c"]),
    Plan.Entry(cell: Cell("w4a", 20), peers: ["a"], loads: [.idle], isOnce: true),
  ])

  @Test func `each repetition another peer is first, and none is left out`() {
    let firsts = (0..<4).map { repetition in plan.steps(of: repetition).first?.peer }
    #expect(firsts == ["a", "b", "c", "a"])
    for repetition in 0..<4 {
      let peers = plan.steps(of: repetition).filter { $0.cell == Cell("w1", 10) && $0.load == .hog }.map(
        \.peer)
      #expect(peers.sorted() == ["a", "b", "c"])
    }
  }

  @Test func `what is short is run several times, with another peer first each time`() {
    let plan = Plan(entries: [Plan.Entry(cell: Cell("w1", 1), peers: ["a", "b"], loads: [.idle], runs: 3)])
    #expect(plan.steps(of: 0).map(\.peer) == ["a", "b", "b", "a", "a", "b"])
    #expect(plan.steps(of: 1).map(\.peer) == ["b", "a", "a", "b", "b", "a"])
  }

  @Test func `what is measured once is measured in the first repetition`() {
    #expect(plan.steps(of: 0).count { $0.cell == Cell("w4a", 20) } == 1)
    #expect(plan.steps(of: 1).count { $0.cell == Cell("w4a", 20) } == 0)
  }

  @Test func `workloads are chosen by how they begin, and peers by their names`() {
    let chosen = plan.only(workloads: ["w4"], peers: nil, loads: Load.allCases)
    #expect(chosen.entries.map(\.cell) == [Cell("w4a", 20)])
    #expect(plan.only(workloads: nil, peers: ["b"], loads: [.hog]).entries.map(\.cell) == [Cell("w1", 10)])
  }

  @Test func `what is never measured with a hog is measured without one`() {
    let chosen = plan.only(workloads: nil, peers: nil, loads: [.hog])
    #expect(chosen.entries.map(\.loads) == [[.hog], [.idle]])
  }

  @Test func `the whole plan names known peers, and no cell twice`() {
    let whole = Plan.whole(isLong: true)
    #expect(Set(whole.entries.map(\.cell)).count == whole.entries.count)
    for entry in whole.entries {
      #expect(Set(entry.peers).count == entry.peers.count)
      for peer in entry.peers { #expect(Peers.named(peer) != nil, "\(peer) of \(entry.cell)") }
    }
  }

  @Test func `everything that a table shows is measured, and everything measured is shown`() {
    let measured = Set(Plan.whole(isLong: true).entries.map(\.cell))
    let shown = Set(Tables.all.flatMap(\.columns).map(\.cell))
    for cell in shown { #expect(measured.contains(cell), "\(cell) is in no plan") }
    // What goals compare with, and the counts of an empty pass, have no column of their own.
    let compared = Set(Goals.all.flatMap { $0.ours.origins + $0.limit.amount.origins }.map(\.cell))
    for cell in measured where !cell.isTraced {
      #expect(shown.contains(cell) || compared.contains(cell), "\(cell) is in no table")
    }
  }
}
