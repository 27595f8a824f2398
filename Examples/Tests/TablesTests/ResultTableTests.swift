import Tables
import Testing

@Suite struct `Result tables` {
  @Test func `texts stand on the left, numbers on the right, and no line ends in spaces`() {
    var table = ResultTable(columns: [
      .init(head: "FILE"), .init(head: "MS", isNumber: true), .init(head: "X"),
    ])
    table.add(["long name", "5", ""])
    table.add(["a", "1234", "y"])
    #expect(table.text == "FILE         MS  X\nlong name     5\na          1234  y\n")
  }
}
