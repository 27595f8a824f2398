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

  @Test(arguments: [(0.0, "0.0"), (12.34, "12.3"), (99.96, "100.0"), (-0.04, "0.0"), (-1.25, "-1.3")])
  func `figures have one digit behind the point`(value: Double, text: String) {
    #expect(Figure.decimal(value) == text)
  }

  @Test func `a table's columns stand under their heads`() {
    var table = Table(["cell", "n"])
    table.add(["long name", "1"])
    table.add(["x", "200"])
    #expect(table.text == "cell         n\nlong name    1\nx          200\n")
  }

  @Test func `JSON is quoted`() {
    #expect(JSON.object([("a\"b", .text("c\n"))]).text() == "{\n  \"a\\\"b\": \"c\\u000a\"\n}")
    #expect(JSON.number(nil).text() == "null")
  }
}
