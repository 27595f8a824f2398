import Testing
import Workbench

@testable import Bench

@Suite struct `Presenting` {
  @Test(arguments: [
    (0.0, "0"), (0.001, "0"), (0.02, "0.02"), (1, "1.00"), (9.994, "9.99"), (9.996, "10.0"), (57.67, "57.7"),
    (99.96, "100"), (999.6, "1,000"), (20_330_550, "20,330,550"), (-2.7, "-2.70"),
  ])
  func `numbers have three digits that count, or all before the point`(number: Double, text: String) {
    #expect(threeDigits(number) == text)
  }

  @Test(arguments: [
    (Unit.nanoseconds, 35.4, "35.4 ns"), (.nanoseconds, 1200, "1.20 µs"), (.nanoseconds, 999_600, "1.00 ms"),
    (.microseconds, 0.5, "500 ns"), (.microseconds, 2963, "2.96 ms"), (.bytes, 545.2, "545 B"),
    (.count, 2.33, "2.33"),
  ])
  func `a time has the unit that fits it`(unit: Unit, value: Double, text: String) {
    #expect(unit.text(value) == text)
  }

  @Test func `columns are flush, no line ends in a space, and a column without texts takes no room`() {
    var grid = Grid(columns: [(.left, 0), (.right, 2), (.left, 2), (.left, 1)])
    grid.add([.init("name"), .init("9"), .init(""), .init("(1)")])
    grid.add([.init("x"), .init("1,000"), .init(""), .init("")])
    #expect(grid.text(isColored: false) == "name      9 (1)\nx     1,000\n")
  }

  @Test func `a colour takes no room`() {
    var grid = Grid(columns: [(.left, 0), (.right, 1)])
    grid.add([.init("✗", .red), .init("1")])
    #expect(grid.text(isColored: true) == "\u{1B}[31m✗\u{1B}[0m 1\n")
    #expect(grid.text(isColored: false) == "✗ 1\n")
  }

  private func report(ours: Double) -> Report {
    var samples = Samples()
    let cell = Cell("w6o0", 20_000)
    for (peer, value) in [("raw", 150.0), ("mainspring", ours)] {
      for load in Load.allCases {
        samples.add(
          .figures(Figures(first: value, pairs: ["mid=\(value)", "best=\(value - 1)"])),
          for: Samples.Key(peer: peer, cell: cell, load: load))
      }
    }
    return Report(
      samples: samples,
      plan: Plan.whole().only(workloads: ["w6o0"], peers: nil, loads: Load.allCases),
      circumstances: Report.Circumstances(
        machine: Machine(description: "a machine"), date: "2026-11-30", repetitions: 1, duration: .seconds(3),
        loadAverages: (0.5, 1)))
  }

  @Test func `a table has medians, minima and the hog's medians, and goals their marks`() {
    let text = report(ours: 30).text(isColored: false)
    #expect(text.contains("raw           150 (149)    150\n"))
    #expect(text.contains("mainspring   30.0 (29.0)  30.0\n"))
    #expect(text.contains("✓ 30.0 ns  40.0 ns   0.75   ✓    30.0 ns"))
    #expect(text.contains("1 of 1 reached"))
    #expect(report(ours: 41).text(isColored: false).contains("0 of 1 reached"))
  }

  @Test func `only what was measured is written`() {
    let text = report(ours: 30).text(isColored: false)
    #expect(!text.contains("W1") && !text.contains("calls by 10"))
    #expect(
      text.hasSuffix("1 repetition in 3 s on 2026-11-30, on a machine; load 0.50 before, 1.00 after.\n"))
  }

  @Test func `a page gets its tables, its goals and where they were measured, and keeps what was not`() {
    let page = """
      <!-- measured: circumstances -->
      <!-- end -->
      <!-- measured: w6 -->
      old
      <!-- end -->
      <!-- measured: w1 -->
      stays
      <!-- end -->
      <!-- measured: goals -->
      <!-- end -->

      """
    let filled = Page(text: page).filled(report(ours: 30).pageText)
    #expect(filled.contains("| mainspring | 30.0 (29.0), 30.0 |"))
    #expect(filled.contains("| W6 | a pass with nothing held ≤ 40 ns | ✓ 30.0 ns | 40.0 ns | 0.75 |"))
    #expect(filled.contains("1 repetition in 3 s"))
    #expect(!filled.contains("old"))
    #expect(filled.contains("<!-- measured: w1 -->\nstays\n<!-- end -->"))
    #expect(Page(text: filled).filled(report(ours: 30).pageText) == filled)
  }

  @Test func `JSON has every run and the goals`() {
    let json = report(ours: 30).json
    #expect(json.contains("\"workload\" : \"w6o0\""))
    #expect(json.contains("\"isReached\" : true"))
  }
}
