import Mainspring
import MainspringTesting
import Testing

@Suite struct LagTests {
  @Test func `M60: every pass is counted by its length, waits are not`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    #expect(loop.lag == nil)
    loop.measureLag()
    for (index, length) in [Duration.microseconds(15), .milliseconds(3), .milliseconds(3), .seconds(100)]
      .enumerated()
    {
      loop.add(RunLoop.Timer(after: .seconds(200 * (index + 1))) { _ in virtual.spend(length) }, to: .default)
    }
    loop.run()
    let lag = try #require(loop.lag)
    let bounds = RunLoop.LagHistogram.upperBounds
    func count(below bound: Duration) throws -> UInt64 {
      lag.counts[try #require(bounds.firstIndex(of: bound))]
    }
    #expect(try count(below: .milliseconds(4)) == 2)
    #expect(lag.counts.last == 1)
    #expect(lag.longest == .seconds(100))
    #expect(lag.total == .seconds(100) + .milliseconds(6) + .microseconds(15))
    #expect(lag.count >= 4)
    #expect(try count(below: .microseconds(15.625)) == lag.count - 3)
  }

  @Test func `M60: by phase, a callout has its own time, not that of what a run in it calls`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.measureLag(byPhase: true)
    loop.perform(in: .default) {
      virtual.spend(.milliseconds(5))
      loop.add(
        RunLoop.Timer(after: .milliseconds(1)) { _ in virtual.spend(.milliseconds(70)) }, to: .tracking)
      loop.run(in: .tracking)
      virtual.spend(.milliseconds(2))
    }
    loop.run()
    #expect(try #require(loop.lag(of: .block)).total == .milliseconds(7))
    #expect(try #require(loop.lag(of: .timer)).total == .milliseconds(70))
    #expect(try #require(loop.lag(of: .timer)).count == 1)
    #expect(try #require(loop.lag(of: .port)).count == 0)
    #expect(try #require(loop.lag(of: .loop)).total == .zero)
  }

  @Test func `M60: nothing is counted by phase unless it is asked for`() {
    let virtual = VirtualRunLoop()
    virtual.loop.measureLag()
    #expect(virtual.loop.lag(of: .block) == nil)
  }

  @Test func `M60: measured twice is measured once`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.measureLag()
    loop.perform(in: .default) { virtual.spend(.milliseconds(40)) }
    loop.run()
    loop.measureLag(byPhase: true)
    loop.measureLag()
    #expect(try #require(loop.lag).longest == .milliseconds(40))
  }

  @Test(arguments: [
    (0, 0), (15_624, 0), (15_625, 1), (31_249, 1), (31_250, 2), (999_999, 6), (1_000_000, 7),
    (65_535_999_999, 22), (65_536_000_000, 23), (UInt64.max, 23),
  ])
  func `M60: a bucket holds what is shorter than its bound and no shorter than the one before`(
    nanoseconds: UInt64, bucket: Int
  ) {
    let series = LagCounters()
    series.note(nanoseconds)
    #expect(series.counts.firstIndex(of: 1) == bucket)
  }

  @Test func `M60: a quantile is the bound of its bucket, and never more than the longest`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.measureLag()
    for index in 1...99 {
      loop.add(RunLoop.Timer(after: .seconds(index)) { _ in virtual.spend(.microseconds(20)) }, to: .default)
    }
    loop.add(RunLoop.Timer(after: .seconds(100)) { _ in virtual.spend(.milliseconds(300)) }, to: .default)
    loop.run()
    let lag = try #require(loop.lag)
    #expect(lag.quantile(0.5).map { $0 <= .microseconds(31.25) } == true)
    #expect(lag.quantile(1) == .milliseconds(300))
    #expect(lag.quantile(-3) == lag.quantile(0))
  }

  @Test func `M60: a help text stays on its line, whatever its line ends`() {
    #expect(
      PrometheusText.head(name: "a", type: "gauge", help: "b\r\nc\\\nd")
        == "# HELP a b\r\\nc\\\\\\nd\n# TYPE a gauge\n")
  }

  @Test func `M60: a label that Prometheus would refuse, or that is the histogram's own, traps`() async {
    await #expect(processExitsWith: .failure) { _ = Self.samples(labelled: "a:b") }
    await #expect(processExitsWith: .failure) { _ = Self.samples(labelled: "le") }
    #expect(Self.samples(labelled: "a_b").contains("{a_b=\"x\"} 0\n"))
  }

  private static func samples(labelled name: String) -> String {
    let virtual = VirtualRunLoop()
    virtual.loop.measureLag()
    return virtual.loop.lag?.prometheusSamples(name: "loop", labels: [(name, "x")]) ?? ""
  }

  @Test func `M60: as Prometheus' text, counts add up and names of loops cannot break a line`() throws {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    loop.measureLag()
    loop.perform(in: .default) { virtual.spend(.milliseconds(3)) }
    loop.run()
    let lag = try #require(loop.lag)
    let text = lag.prometheusSamples(name: "loop_pass_seconds", labels: [("loop", "a\"b\\c\nd")])
    let lines = text.split(separator: "\n")
    #expect(lines.count == RunLoop.LagHistogram.upperBounds.count + 3)
    #expect(lines.first == #"loop_pass_seconds_bucket{loop="a\"b\\c\nd",le="0.000015625"} \#(lag.count - 1)"#)
    #expect(lines.contains(#"loop_pass_seconds_bucket{loop="a\"b\\c\nd",le="0.004"} \#(lag.count)"#))
    #expect(lines.contains(#"loop_pass_seconds_bucket{loop="a\"b\\c\nd",le="+Inf"} \#(lag.count)"#))
    #expect(lines.last == #"loop_pass_seconds_count{loop="a\"b\\c\nd"} \#(lag.count)"#)
    #expect(lines.contains(#"loop_pass_seconds_sum{loop="a\"b\\c\nd"} 0.003"#))
  }
}
