@testable import Score
import Testing

struct FigureTests {
  @Test func `Wilson's interval is that of the textbooks`() throws {
    let interval = try #require(Proportion(hits: 81, total: 263).interval)
    #expect(abs(interval.lowerBound - 0.2553) < 0.0002)
    #expect(abs(interval.upperBound - 0.3662) < 0.0002)
    #expect(try #require(Proportion(hits: 10, total: 10).interval).upperBound > 0.999)
    #expect(Proportion().interval == nil)
  }

  @Test func `a percentile is one of the values`() {
    let values = (1...100).map(Double.init).reversed()
    #expect(percentile(0.5, of: Array(values)) == 50)
    #expect(percentile(0.99, of: Array(values)) == 99)
    #expect(percentile(0.99, of: [3]) == 3)
    #expect(percentile(0.5, of: []) == nil)
  }

  @Test(arguments: [
    ("Module.spin(_:)", "spin"), ("spin(_:depth:)", "spin"), ("closure #1 in Module.f(a:)", "f"),
    ("specialized Box.f<A>(A) -> B", "f"), ("static Clock.read(_:)", "read"), ("read_clock", "read_clock"),
    ("closure #2 in closure #1 in g()", "g"), ("no-app-code", "no-app-code"),
  ])
  func `a function's name is what the injector calls it`(symbol: String, base: String) {
    #expect(FunctionName.base(symbol) == base)
  }

  @Test func `a table's columns stand under their heads`() {
    var table = Table(["cell", "n"])
    table.add(["long name", "1"])
    table.add(["x", "200"])
    #expect(table.text == "cell         n\nlong name    1\nx          200\n")
  }
}
