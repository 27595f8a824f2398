import StallReport
import Testing

@Suite struct Culprits {
  @Test func `the culprit is the deepest own function that most of the time was spent in`() {
    var report = Report.bare()
    report.addSample(["~memmove", "!b", "!a", "@timer", "run", "main"], weight: .milliseconds(700))
    report.addSample(["!c", "!a", "@timer", "run", "main"], weight: .milliseconds(300))
    #expect(report.culprit.name == "b")
    #expect(report.culprit.chain == ["a", "b"])
    #expect(report.culprit.share == 0.7)
    #expect(report.culprit.frame.map { report.stacks.frames[$0].symbol } == "b")
  }

  @Test func `the walk stops where no callee has three fifths`() {
    var report = Report.bare()
    report.addSample(["!b", "!a", "@timer"], weight: .milliseconds(59))
    report.addSample(["!c", "!a", "@timer"], weight: .milliseconds(41))
    #expect(report.culprit.name == "a")
    report.addSample(["!b", "!a", "@timer"], weight: .milliseconds(3))
    #expect(report.culprit.name == "b", "62 of 103 is more than three fifths")
  }

  @Test func `exactly three fifths is enough`() {
    var report = Report.bare()
    report.addSample(["!b", "!a", "@timer"], weight: .milliseconds(60))
    report.addSample(["!c", "!a", "@timer"], weight: .milliseconds(40))
    #expect(report.culprit.name == "b")
  }

  @Test func `a tie goes to the common caller, whatever the order of samples`() {
    for order in [["!b", "!c"], ["!c", "!b"]] {
      var report = Report.bare()
      for leaf in order { report.addSample([leaf, "!a", "@timer"]) }
      #expect(report.culprit.name == "a")
    }
  }

  @Test func `recursion and short cycles of calls count as one call`() {
    var report = Report.bare()
    report.addSample(["!f", "!f", "!f", "!f", "!a", "@timer"])
    report.addSample(["!f", "!a", "@timer"])
    report.addSample(["!g", "!f", "!g", "!f", "!a", "@timer"])
    report.addSample(["!g", "!h", "!f", "!g", "!h", "!f", "!a", "@timer"])
    #expect(report.culprit.name == "f")
    #expect(report.culprit.chain == ["a", "f"])
    #expect(report.culprit.share == 1)
  }

  @Test func `closures and specialisations of one function count as one`() {
    var report = Report.bare()
    report.addSample(["!closure #1 in f()", "!a", "@timer"])
    report.addSample(["!specialized f()", "!a", "@timer"])
    #expect(report.culprit.name == "f()")
  }

  @Test func `the innermost callout counts, and callers of the loop are never blamed`() {
    var report = Report.bare()
    report.addSample(["!inner", "@block", "run", "!outer", "@timer", "run", "!setUp", "main"])
    #expect(report.culprit.chain == ["inner"])
  }

  @Test func `without a callout frame the loop's own frames are the cut`() {
    var report = Report.bare()
    report.addSample(["~read", "run", "!work", "run", "run", "!setUp", "main"])
    #expect(report.culprit.chain == ["work"])
  }

  @Test func `a library is blamed only where the program has no function`() {
    var report = Report.bare()
    report.addSample(["~memmove", "sqlite3_step", "@timer", "run", "main"])
    #expect(report.culprit.name == "sqlite3_step")
    #expect(report.culprit.chain == [])
  }

  @Test func `runtime, C library and loop alone make no culprit`() {
    var report = Report.bare()
    report.addSample(["~epoll_wait", "run", "main"])
    #expect(report.culprit.name == Report.Culprit.noAppCode)
    #expect(report.culprit.frame == nil)
  }

  @Test func `nothing is blamed without stacks`() {
    var report = Report.bare()
    #expect(report.culprit.name == Report.Culprit.noAppCode)
    report.samples.append(
      Report.Sample(time: .zero, stack: nil, weight: .seconds(1), state: "D", method: .none))
    report.samples.append(Report.Sample(time: .zero, stack: 99, weight: .seconds(1), state: "R"))
    report.addSample([])
    #expect(report.culprit.name == Report.Culprit.noAppCode)
  }

  @Test func `frames of the monitor's signal are cut off`() {
    var report = Report.bare()
    let frames: [Report.Frame] = [
      .init(symbol: "handler", isInApp: true, kind: .monitor), .init(symbol: "restore_rt", kind: .signal),
      .named("!work"), .named("@timer"),
    ]
    report.samples = [
      Report.Sample(
        time: .zero, stack: report.stacks.index(ofStack: frames), weight: .seconds(1), state: "R")
    ]
    #expect(report.culprit.name == "work")
  }

  @Test func `samples without weight count alike`() {
    var report = Report.bare()
    report.addSample(["!b", "!a", "@timer"], weight: .zero)
    report.addSample(["!b", "!a", "@timer"], weight: .zero)
    #expect(report.culprit.name == "b")
  }

  @Test func `a function without a symbol is named by its image and place`() {
    var report = Report.bare()
    report.stacks.images = [.init(name: "/opt/app/tool", buildID: nil, base: 0, end: 9, isInApp: true)]
    for offset in [UInt64(0x10), 0x10, 0x20] {
      let frame = Report.Frame(image: 0, offset: offset, symbol: nil, isInApp: true)
      let stack = report.stacks.index(ofStack: [frame, .named("@timer")])
      report.samples.append(.init(time: .zero, stack: stack, weight: .seconds(1), state: "R"))
    }
    #expect(report.culprit.name == "tool+0x10")
  }

  @Test func `a program that calls the loop, and is not called by it, is blamed itself`() {
    var report = Report.bare()
    report.addSample(["run", "!waitsForAnother", "!work"])
    #expect(report.culprit.name == "waitsForAnother")
  }
}
