import Documents
import Testing

@testable import Goals

struct GoalTests {
  @Test(arguments: [
    (
      Goal(name: "a", value: 0.996, limit: 0.995, isLeast: true, unit: .percent), true,
      "✓ a: 99.60 %, at least 99.50 %"
    ),
    (Goal(name: "b", value: 12, limit: 10, unit: .nanoseconds), false, "✗ b: 12.0 ns, at most 10.0 ns"),
    (Goal(name: "c", value: 0, limit: 0, unit: .count), true, "✓ c: 0, at most 0"),
    (Goal(name: "d", value: 1000, limit: nil, unit: .nanoseconds), true, "– d: 1000.0 ns"),
    (
      Goal(name: "e", value: nil, limit: 50, unit: .microseconds), true,
      "– e: nothing measured, at most 50.0 µs"
    ),
  ])
  func `a goal's line has its mark, and what is asked`(goal: Goal, isMet: Bool, line: String) {
    #expect(goal.isMet == isMet)
    #expect(goal.line == line + "\n")
  }

  @Test func `a goal for tools has its limit or none`() {
    let goal = Goal(name: "d", value: 2, limit: nil, unit: .count)
    #expect(
      goal.json.text() == """
        {
          "name": "d",
          "value": 2.0,
          "limit": null,
          "met": true
        }
        """)
  }

  @Test(arguments: [(0.0, "0.0"), (12.34, "12.3"), (99.96, "100.0"), (-0.04, "0.0"), (-1.25, "-1.3")])
  func `figures have one digit behind the point`(value: Double, text: String) {
    #expect(Figure.decimal(value) == text)
  }

  @Test func `JSON is quoted`() {
    #expect(JSON.object([("a\"b", .text("c\n"))]).text() == "{\n  \"a\\\"b\": \"c\\u000a\"\n}")
    #expect(JSON.number(nil).text() == "null")
  }
}
