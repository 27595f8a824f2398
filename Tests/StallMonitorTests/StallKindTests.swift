import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

@Suite(.serialized, .timeLimit(.minutes(2))) struct StallKindTests {
  @Test func `a source that signals itself again and again saturates the loop, and is no stall`() throws {
    let reports = try StalledLoop.reports(configure: { $0.saturationThreshold = .milliseconds(100) }) {
      loop, stalled in
      let source = RunLoop.Source { source in
        let isTold = stalled.reports.withLock { $0.contains { $0.kind == .saturation } }
        if isTold { source.invalidate() } else { source.signal() }
      }
      loop.add(source, to: .default)
      source.signal()
    }
    // On a machine that is short of processors one of its passes may be told, too.
    let report = try #require(reports.last { $0.kind == .saturation })
    #expect(report.state == .recovered)
    #expect(report.time.threshold == .milliseconds(100) * SlowEnvironment.factor)
    #expect(report.samples.contains { $0.stack != nil })
  }

  @Test func `a stall before the first wait is said to be of the launch`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.perform(in: .default) { _ = stalled.spinUntilConfirmed() }
    }
    #expect(reports.last?.annotations["launch"] != nil)
  }

  @Test func `a stall after a wait is not`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.add(
        RunLoop.Timer(after: .milliseconds(5)) { _ in _ = stalled.spinUntilConfirmed() }, to: .default)
    }
    #expect(reports.last?.annotations["launch"] == nil)
  }

  @Test func `a wait that was declared is not held against the pass, what follows it is`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.perform(in: .default) {
        StallMonitor.pause(reason: "a modal question") { waitLong() }
        // Not seen yet: otherwise the spinning would end at once.
        #expect(stalled.confirmed == 0)
        _ = stalled.spinUntilConfirmed()
      }
    }
    let report = try #require(reports.last)
    #expect(report.annotations["paused_reason"] == "a modal question")
    #expect(report.time.excluded ?? .zero >= .milliseconds(200))
  }

  @Test func `a run inside a declared wait is watched`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.perform(in: .default) {
        StallMonitor.pause(reason: "a modal loop") {
          loop.perform(in: .default) { _ = stalled.spinUntilConfirmed() }
          _ = loop.run(in: .default, for: .zero)
        }
      }
    }
    #expect(reports.last?.loop.nesting == 2)
  }

  @Test func `what follows a nested run in a callout is watched`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.perform(in: .default) {
        _ = loop.run(in: .default, for: .zero)
        _ = stalled.spinUntilConfirmed()
      }
    }
    #expect(reports.last?.loop.nesting == 1)
    #expect(reports.last?.kind == .stall)
  }

  @Test func `a loop puts a long stretch on record, and a short one not`() throws {
    let beacon = Beacon()
    beacon.beginWatching(recordingFrom: 100)
    beacon.stampProgress(1000)
    beacon.state.store(
      Beacon.State(progress: 1, mode: .default, nesting: 1, phase: .timer).rawValue, ordering: .releasing)
    beacon.callouts.store(3, ordering: .relaxed)
    beacon.stampProgress(1100)
    #expect(
      beacon.longStretches(after: 0).map(\.stretch)
        == [LongStretch(progress: 1, start: 1000, end: 1100, callouts: 3)])
    beacon.stampProgress(1199)
    #expect(beacon.recordCount == 1)
    beacon.state.store(
      Beacon.State(progress: 3, mode: .default, nesting: 1, phase: .waiting).rawValue, ordering: .releasing)
    beacon.stampProgress(9000)
    #expect(beacon.recordCount == 1, "a wait is not a stretch of work")
  }

  @Test func `a stall of a loop that is gone before anybody looked is told by its record`() throws {
    var beacon: Beacon? = Beacon()
    beacon!.beginWatching(recordingFrom: 100)
    let watched = WatchedLoop(
      WatchRequest(number: 1, name: "gone", beacon: beacon!), WatchLimits(stall: .init(threshold: 100)))
    beacon!.stampProgress(1000)
    beacon!.state.store(
      Beacon.State(progress: 5, mode: .default, nesting: 1, phase: .timer).rawValue, ordering: .releasing)
    beacon!.stampProgress(1500)
    beacon = nil
    #expect(watched.needsLook)
    let findings = watched.look(try Samplers(leavingOut: [])) { (2000, Punctuality(due: 2000, woke: 2000)) }
    #expect(findings.map(\.start) == [1000])
    #expect(findings.map(\.end) == [1500])
    #expect(watched.isOver)
  }

  @Test func `a loop that counts no callouts has its phases told apart`() {
    var open = OpenStall(firstSeen: 100, thread: 0, rhythm: SampleRhythm(tick: 1, denseTime: 1), tick: 1)
    var reading = Reading(progress: 1, since: 100, isBusy: true)
    for (now, phase) in [(110, Phase.afterWaiting), (120, .work), (190, .work)] as [(UInt64, Phase)] {
      reading.phase = phase
      open.noteCallout(reading, at: now, passStart: 100)
    }
    #expect(open.callouts.map(\.reading.phase) == [.afterWaiting, .work])
    #expect(open.callouts.map(\.from) == [100, 120])
    #expect(open.callouts.map(\.to) == [120, 190])
  }

  @Test func `of many records the latest are kept, with their numbers`() {
    let beacon = Beacon()
    beacon.beginWatching(recordingFrom: 1)
    beacon.stampProgress(10)
    for step in 1...20 as ClosedRange<UInt64> {
      beacon.state.store(
        Beacon.State(progress: UInt32(step), mode: .default, nesting: 1, phase: .block).rawValue,
        ordering: .releasing)
      beacon.stampProgress(10 + step * 10)
    }
    let kept = beacon.longStretches(after: 0)
    #expect(kept.map(\.number) == Array(12..<20))
    #expect(kept.map(\.stretch.progress) == Array(13...20))
    #expect(beacon.longStretches(after: 19).map(\.stretch.progress) == [20])
  }

  @Test func `declared time counts for the stretch that it lies in, as long as it lasts`() {
    let beacon = Beacon()
    beacon.beginWatching(recordingFrom: 1)
    func show(_ progress: UInt32, nesting: Int) -> Beacon.State {
      let state = Beacon.State(progress: progress, mode: .default, nesting: nesting, phase: .block)
      beacon.state.store(state.rawValue, ordering: .releasing)
      return state
    }
    beacon.stampProgress(100)
    let outer = show(1, nesting: 1)
    beacon.beginPause(at: 150, reason: 0)
    beacon.beginPause(at: 160, reason: 0)
    #expect(beacon.pausedTime(in: outer, from: 100, to: 200) == 50)
    beacon.endPause(at: 200)
    #expect(beacon.pausedTime(in: outer, from: 100, to: 300) == 150)
    beacon.stampProgress(300)
    let inner = show(2, nesting: 2)
    #expect(beacon.pausedTime(in: inner, from: 300, to: 400) == 0)
    beacon.stampProgress(400)
    let after = show(3, nesting: 1)
    #expect(beacon.pausedTime(in: after, from: 400, to: 450) == 50)
    beacon.endPause(at: 500)
    #expect(beacon.pausedTime(in: after, from: 400, to: 900) == 100)
    let records = beacon.longStretches(after: 0).map(\.stretch)
    #expect(records.map(\.paused) == [150, 0])
  }
}

/// Longer than any stall's threshold of these tests, by the clock: what the monitor must not see.
@inline(never)
private func waitLong() {
  let end = RunLoop.Instant.now.advanced(by: .milliseconds(200))
  while RunLoop.Instant.now < end {}
}
