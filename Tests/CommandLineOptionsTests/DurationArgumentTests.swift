import CommandLineOptions
import Testing

@Suite struct `Duration arguments` {
  @Test(arguments: [
    ("250ms", 250_000_000), ("2s", 2_000_000_000), ("500us", 500_000), ("500µs", 500_000),
    ("1m", 60_000_000_000), ("1.5s", 1_500_000_000), ("0s", 0), ("0.001ms", 1000), ("1h", 3_600_000_000_000),
    ("7ns", 7), ("1.000000001s", 1_000_000_001), ("1.10000000000000s", 1_100_000_000),
    ("0.5m", 30_000_000_000),
    ("007ms", 7_000_000), ("876000h", 3_153_600_000_000_000_000),
  ])
  func `a number and a unit are read exactly`(text: String, nanoseconds: Int64) throws {
    #expect(try DurationArgument(argument: text).duration == .nanoseconds(nanoseconds))
  }

  @Test(arguments: [
    ("250", "'250' has no unit; write 250ms or 2s"),
    ("ms", "'ms' is not a span of time; write 250ms or 2s"),
    ("", "'' is not a span of time; write 250ms or 2s"),
    ("-5s", "'-5s' is not a span of time; write 250ms or 2s"),
    ("1.s", "'1.s' is not a span of time; write 250ms or 2s"),
    (".5s", "'.5s' is not a span of time; write 250ms or 2s"),
    ("1.2.3s", "'1.2.3s' is not a span of time; write 250ms or 2s"),
    ("٣s", "'٣s' is not a span of time; write 250ms or 2s"),
    ("5sec", "'5sec' has an unknown unit; the units are ns, us, ms, s, m and h"),
    ("1e3s", "'1e3s' has an unknown unit; the units are ns, us, ms, s, m and h"),
    ("1.5ns", "'1.5ns' is finer than a nanosecond"),
    ("876001h", "'876001h' is longer than a hundred years"),
    ("876000.1h", "'876000.1h' is longer than a hundred years"),
    ("99999999999999999999999999s", "'99999999999999999999999999s' is longer than a hundred years"),
  ])
  func `what cannot be read is explained`(text: String, explanation: String) {
    #expect(throws: MalformedArgument(explanation)) { try DurationArgument(argument: text) }
  }

  private static let units = ["ns", "us", "µs", "ms", "s", "m", "h"]
  private static let long = String(repeating: "0", count: 40)

  @Test(arguments: units, ["10000000000000000000", "9223372036854775807", "1" + long])
  func `a number of many digits is too long in every unit`(unit: String, number: String) {
    for text in [number + unit, number + ".0" + unit] {
      #expect(throws: MalformedArgument("'\(text)' is longer than a hundred years")) {
        try DurationArgument(argument: text)
      }
    }
  }

  @Test(arguments: units)
  func `digits that add nothing are read however many they are`(unit: String) throws {
    let one = try DurationArgument(argument: "1" + unit)
    #expect(try DurationArgument(argument: Self.long + "1." + Self.long + unit) == one)
  }

  @Test(arguments: units)
  func `a fraction of many digits is too fine in every unit`(unit: String) {
    for text in ["0." + Self.long + "1" + unit, "1.0000000000000000009" + unit] {
      #expect(throws: MalformedArgument("'\(text)' is finer than a nanosecond")) {
        try DurationArgument(argument: text)
      }
    }
  }
}
