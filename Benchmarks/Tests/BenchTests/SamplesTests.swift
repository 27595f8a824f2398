import Testing

@testable import Bench

@Suite struct `Samples of runs` {
  private func key(_ peer: String, _ workload: String, _ size: Int, _ load: Load = .idle) -> Samples.Key {
    Samples.Key(peer: peer, cell: Cell(workload, size), load: load)
  }

  private func line(_ first: Double) -> Line { .figures(Figures(first: first, pairs: [])) }

  @Test(arguments: [([], 0), ([4], 4), ([9, 1, 5], 5), ([9, 1, 5, 7], 6)] as [([Double], Double)])
  func `the median is the middle one, or between the middle two`(values: [Double], median: Double) {
    #expect(values.median == median)
  }

  @Test func `medians and minima are of one peer, cell and load`() {
    var samples = Samples()
    for value in [3.0, 1, 2] { samples.add(line(value), for: key("a", "w3", 10)) }
    samples.add(line(50), for: key("a", "w3", 10, .hog))
    samples.add(line(70), for: key("b", "w3", 10))
    #expect(samples.median("ns", of: key("a", "w3", 10)) == 2)
    #expect(samples.minimum("ns", of: key("a", "w3", 10)) == 1)
    #expect(samples.median("ns", of: key("a", "w3", 10, .hog)) == 50)
    #expect(samples.median("cpu_ns", of: key("a", "w3", 10)) == nil)
  }

  @Test func `what took too long is not tried again, nor in a larger size, under no load`() {
    var samples = Samples()
    samples.add(.excluded(.over("5 s")), for: key("a", "w4a", 100))
    #expect(samples.isOff(key("a", "w4a", 100)))
    #expect(samples.isOff(key("a", "w4a", 1000)))
    #expect(samples.isOff(key("a", "w4a", 1000, .hog)))
    #expect(!samples.isOff(key("a", "w4a", 10)))
    #expect(!samples.isOff(key("a", "w5", 1000)))
    #expect(!samples.isOff(key("b", "w4a", 100)))
    #expect(samples.exclusion(of: key("a", "w4a", 1000)) == .over("100 took too long"))
    #expect(samples.exclusion(of: key("a", "w4a", 10)) == nil)
  }

  @Test func `what is not available is not tried again, and other sizes are`() {
    var samples = Samples()
    samples.add(.excluded(.notAvailable("why")), for: key("a", "w4a", 100))
    #expect(samples.isOff(key("a", "w4a", 100)))
    #expect(!samples.isOff(key("a", "w4a", 1000)))
  }

  @Test func `what is slow is run once, and has its figures`() {
    var samples = Samples()
    samples.add(line(7), for: key("a", "w5", 9900), isSlow: true)
    #expect(samples.isOff(key("a", "w5", 9900)))
    #expect(!samples.isOff(key("a", "w5", 9900, .hog)))
    #expect(samples.median("ns", of: key("a", "w5", 9900)) == 7)
  }

  @Test func `a version is told by any line of the peer that has one`() {
    var samples = Samples()
    samples.add(line(1), for: key("a", "w7t", 10))
    samples.add(.figures(Figures(first: 1, pairs: ["version=1.2-stable"])), for: key("a", "w1", 10))
    #expect(samples.version(of: "a") == "1.2-stable")
    #expect(samples.version(of: "b") == nil)
  }
}
