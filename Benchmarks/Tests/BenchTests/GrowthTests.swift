import CommandLineOptions
import Testing

@testable import Bench

@Suite struct `Growing costs` {
  private let growth = Growth(
    name: "arm", title: "Arming", what: "timers", sizes: [10, 100],
    lines: [
      Growth.Line(title: "ours", peer: "mainspring", workload: "w4a", key: "arm_ns"),
      Growth.Line(title: "theirs", peer: "libev", workload: "w4a", key: "arm_ns"),
    ])

  @Test func `the data are a line a size and a column a line, and what is missing is a hyphen`() {
    var samples = Samples()
    samples.add(
      .figures(Figures(first: 1, pairs: ["arm_ns=12.34"])),
      for: Samples.Key(peer: "mainspring", cell: Cell("w4a", 10), load: .idle))
    #expect(
      growth.table(of: samples) == "# Arming\ntimers\tours\ttheirs\n10\t12.3\t-\n100\t-\t-\n")
  }

  @Test func `a cell that several have in common is measured once`() {
    let plan = Plan.of([growth, growth])
    #expect(plan.entries.map(\.cell) == [Cell("w4a", 10), Cell("w4a", 100)])
    #expect(plan.entries.allSatisfy { $0.peers == ["mainspring", "libev"] && $0.loads == [.idle] })
  }

  @Test func `they are chosen by how their names begin`() throws {
    guard case .grow(let growths, _, let folder, nil) = try Request(["--growth=out", "--only=timers-a"])
    else {
      Issue.record("nothing grows")
      return
    }
    #expect(growths.map(\.name) == ["timers-arm"])
    #expect(folder == "out")
    #expect(throws: UsageError.self) { try Request(["--growth=out", "--only=w1"]) }
  }

  @Test func `names of files are unlike, and their peers known`() {
    let names = Growths.all.map(\.name)
    #expect(Set(names).count == names.count)
    for line in Growths.all.flatMap(\.lines) { #expect(Peers.named(line.peer) != nil, "\(line.peer)") }
  }
}
