import LinuxKernel
import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

@Suite(.serialized, .timeLimit(.minutes(2))) struct LoopMarksTests {
  @Test func `a loop of others that is stuck is reported, with its own word for what it does`() throws {
    let report = try report { marks, stalled in
      marks.willWait()
      marks.willWork("sweep")
      _ = sweepUntilSeen(stalled)
      marks.willWait()
    }
    #expect(report.loop.kind == .foreign)
    #expect(report.loop.name == "tested")
    #expect(report.phase.name.rawValue == "sweep")
    #expect(report.kind == .stall)
    #expect(
      report.culprit.chain.contains { $0.contains("sweepUntilSeen") }, "\(report.text(view: .timeline))")
    #expect(report.loop.thread.tid != Int(ThreadIdentity.kernelNumber))
  }

  @Test func `what follows a nested run is the outer work's, timed anew`() throws {
    let report = try report { marks, stalled in
      marks.willWait()
      marks.willWork("outer")
      marks.willRunNested()
      marks.willWork("inner")
      marks.willWait()
      marks.didRunNested()
      _ = sweepUntilSeen(stalled)
      marks.willWait()
    }
    #expect(report.loop.nesting == 1)
    #expect(report.phase.name.rawValue == "outer")
  }

  @Test func `a loop in C marks through functions`() throws {
    let report = try report { marks, stalled in
      let work = unsafe StallMonitor.LoopMarks.willWorkFunction
      let wait = unsafe StallMonitor.LoopMarks.willWaitFunction
      // SAFETY: the marks live until the closure returns.
      unsafe wait(marks.context)
      unsafe work(marks.context)
      _ = sweepUntilSeen(stalled)
      unsafe wait(marks.context)
    }
    #expect(report.phase.name.rawValue == "work")
  }

  @Test func `passes without a wait are progress, and items of a pass are not`() {
    let marks = StallMonitor.LoopMarks()
    marks.willWork()
    let first = marks.beacon.shown.progress
    marks.willWork()
    let second = marks.beacon.shown.progress
    #expect(second != first)
    let callouts = marks.beacon.callouts.load(ordering: .relaxed)
    marks.willCall("item")
    marks.willCall("item")
    #expect(marks.beacon.shown.progress == second)
    #expect(marks.beacon.callouts.load(ordering: .relaxed) == callouts + 2)
    #expect(marks.beacon.shown.isBusy)
  }

  @Test func `a watcher has nothing to look for while a loop waits, and after its marks are gone`() throws {
    var marks: StallMonitor.LoopMarks? = StallMonitor.LoopMarks()
    let beacon = try #require(marks?.beacon)
    beacon.beginWatching()
    let loop = watched(beacon)
    #expect(!loop.needsLook)
    marks?.willWork()
    #expect(loop.needsLook)
    marks?.willWait()
    #expect(!loop.needsLook)
    marks?.willWork()
    marks = nil
    withExtendedLifetime(beacon) { #expect(!loop.isOver) }
  }

  @Test func `marks that are gone end what is watched`() {
    let loop = watched(StallMonitor.LoopMarks().beacon)
    #expect(loop.isOver)
    #expect(!loop.needsLook)
  }

  @Test func `each mark notes whose thread it is on`() {
    let marks = StallMonitor.LoopMarks()
    marks.willWork()
    #expect(marks.beacon.thread.load(ordering: .relaxed) == ThreadIdentity.kernelNumber)
    marks.willWait()
    let other = Atomic<Int32>(0)
    TestThread.run {
      marks.willWork()
      marks.willWait()
      other.store(ThreadIdentity.kernelNumber, ordering: .relaxed)
    }
    #expect(marks.beacon.thread.load(ordering: .relaxed) == other.load(ordering: .relaxed))
  }

  @Test func `a start that lasts is held to the threshold of launches`() {
    let marks = StallMonitor.LoopMarks()
    marks.willWork()
    let beforeWait = marks.beacon.hasWaited.load(ordering: .relaxed)
    #expect(!beforeWait)
    marks.willWait()
    let afterWait = marks.beacon.hasWaited.load(ordering: .relaxed)
    #expect(afterWait)
  }

  private func watched(_ beacon: Beacon) -> WatchedLoop {
    WatchedLoop(
      WatchRequest(number: 1, name: "tested", kind: .foreign, beacon: beacon),
      WatchLimits(StallMonitor.Configuration()))
  }

  /// The latest report of what `body` does on a thread of its own.
  private func report(
    _ body: @escaping @Sendable (StallMonitor.LoopMarks, StalledLoop) -> Void
  ) throws -> Report {
    let stalled = StalledLoop()
    let monitor = try StallMonitor(stalled.configuration())
    TestThread.run {
      let marks = monitor.watch(loopNamed: "tested", kind: .foreign)
      body(marks, stalled)
      #expect(monitor.stop(waitingFor: .seconds(30)))
    }
    let reports = stalled.reports.withLock { $0 }
    #expect(Set(reports.map(\.id)).count == 1)
    return try #require(reports.last)
  }
}

@inline(never)
private func sweepUntilSeen(_ stalled: StalledLoop) -> UInt64 { stalled.spinUntilConfirmed() &+ 1 }
