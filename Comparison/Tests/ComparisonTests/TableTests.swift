import Testing
import Workbench

@testable import Comparison

@Suite struct `Tables` {
  @Test func `lines are broken at spaces, and a number stays with what it counts`() {
    #expect(WrappedTable.wrap("a run of 50 ms is long", width: 10) == ["a run of", "50 ms is", "long"])
    #expect(WrappedTable.wrap("", width: 5) == [])
    #expect(WrappedTable.wrap("unbreakable", width: 4) == ["unbr", "eaka", "ble"])
  }

  @Test func `columns are aligned, no line is too wide or ends in a space, and rows stand apart`() {
    var table = WrappedTable(heads: ["WHAT", "NO", "FOUND"], width: 25, shares: [1, nil, 1])
    table.add([.init("two words here"), .init("M1"), .init("one two three")])
    table.add([.init("short"), .init("M22"), .init("x")])
    let text = table.text(isColored: false)
    #expect(
      text == """
        WHAT       NO   FOUND

        two words  M1   one two
        here            three

        short      M22  x

        """)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 25 && !$0.hasSuffix(" ") })
  }

  @Test func `a colour takes no room`() {
    var table = WrappedTable(heads: ["A", "B"], width: 30, shares: [1, nil])
    table.add([.init("x"), .init("good", color: .green)])
    let plain = table.text(isColored: false)
    let colored = table.text(isColored: true)
    #expect(colored.contains("\u{1B}[32mgood\u{1B}[0m"))
    #expect(colored.replacing("\u{1B}[32m", with: "").replacing("\u{1B}[0m", with: "") == plain)
  }

  private let report = Report(
    rows: [
      Row(
        StopRun(), coreFoundation: .found(Finding("runs | on", isRight: false)),
        mainspring: .found(Finding("the run ended", isRight: true)))
    ], machine: Machine(description: "a machine"), duration: .seconds(3))

  @Test(arguments: [20, 80, 100, 120, 300])
  func `the table fits the width that it is given, from 80 to 120 columns`(width: Int) {
    let lines = report.text(width: width, isColored: false).split(separator: "\n").dropLast()
    #expect(lines.allSatisfy { $0.count <= min(120, max(80, width)) })
  }

  @Test func `the foot counts the verdicts that occur`() {
    #expect(report.foot == "1 scenario: 1 mended. Measured in 3 s on a machine.")
  }

  @Test func `in Markdown a bar in a text is no column`() {
    #expect(report.markdown.contains("| runs \\| on | the run ended | ✓ mended |\n"))
  }

  @Test func `JSON has the verdict and both findings`() {
    #expect(report.json.contains("\"verdict\" : \"mended\""))
    #expect(report.json.contains("\"text\" : \"runs | on\""))
  }

  @Test func `a page is filled behind its marks, twice the same, and only there`() {
    let page = """
      # A page
      <!-- measured: stop-run -->
      what stood there
      <!-- end -->
      <!-- measured: unknown -->
      stays
      <!-- end -->
      <!-- measured: all -->
      <!-- end -->

      """
    let filled = report.filling(Page(text: page))
    #expect(!filled.contains("what stood there"))
    #expect(filled.contains("| runs \\| on | the run ended | ✓ mended |\n\n<!-- end -->"))
    #expect(filled.contains("<!-- measured: unknown -->\nstays\n<!-- end -->"))
    #expect(!filled.contains("1 scenario"), "not all that have a mark were measured")
    #expect(report.filling(Page(text: filled)) == filled)
  }

  @Test func `a page is told how many rows there are once all of its marks were measured`() {
    let page = "<!-- measured: all -->\n<!-- end -->\n<!-- measured: stop-run -->\n<!-- end -->\n"
    #expect(report.filling(Page(text: page)).contains("1 scenario: 1 mended."))
  }
}
