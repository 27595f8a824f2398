import Testing

@testable import StallReport

@Suite struct LoopStretchTests {
  @Test func `what wraps a callout for the main actor does not show`() {
    var report = Report.bare()
    report.stacks.images = [Report.Image(name: "/opt/app", buildID: nil, base: 0, end: 1, isInApp: true)]
    let names: [(mangled: String, demangled: String)] = [
      ("$s3app4workyyF", "app.work() -> ()"),
      ("$s10Mainspring11MainRunLoopV8addTimerU_", "closure #1 in Mainspring.MainRunLoop.addTimer()"),
      (
        "$sxs5Error_pIgrzo_xsAA_pIegrzo_TRTA",
        "partial apply for specialized thunk for @callee_guaranteed ()"
      ),
      ("$sScM14assumeIsolated_4file", "static MainActor.assumeIsolated<A>(_:file:line:)"),
      ("$s10Mainspring7RunLoopC3runyyF", "Mainspring.RunLoop.run() -> ()"),
      ("$s3app4mainyyF", "app.main() -> ()"),
    ]
    let frames = names.map { name in
      Report.Frame(
        image: 0, offset: 0, mangled: name.mangled, demangled: name.demangled, location: nil,
        in: report.stacks.images)
    }
    let stack = report.stacks.index(ofStack: frames)
    let path = StackPath(stack: report.stacks.stacks[stack], in: report.stacks)
    #expect(path.steps.map(\.key) == ["work()"])
  }
}

@Suite struct RuntimeBetweenTests {
  private func frame(_ name: String, _ kind: Report.Frame.Kind? = nil, isInApp: Bool = true) -> Report.Frame {
    Report.Frame(symbol: name, isInApp: isInApp, kind: kind)
  }

  @Test func `the runtime shows where it is the leaf, and not between two functions of the program's`() {
    var report = Report.bare()
    let stack = report.stacks.index(ofStack: [
      frame("memset", .libc, isInApp: false), frame("swift_allocObject", .runtime, isInApp: false),
      frame("inner()"), frame("Array.withUnsafeBytes(_:)", .runtime), frame("outer()"),
      frame("RunLoop.run()", .loop),
    ])
    let path = StackPath(stack: report.stacks.stacks[stack], in: report.stacks)
    #expect(path.steps.map(\.key) == ["outer()", "inner()", "swift_allocObject", "memset"])
  }
}
