import CCaptureCalls
// For the types of times, which an optimised build takes for that module's.
import CLinuxKernel
import CTestCalls
import Foundation
import Gzip
import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor

@Suite(.serialized, .timeLimit(.minutes(2))) struct StallMonitorTests {
  @Test func `a busy timer callback is reported once, with its place and its culprit`() throws {
    let line = #line + 2
    let reports = try StalledLoop.reports { loop, stalled in
      let timer = RunLoop.Timer(after: .zero) { _ in burnInTimer(stalled) }
      loop.add(timer, to: .default)
    }
    #expect(Set(reports.map(\.id)).count == 1)
    #expect(reports.first?.state == .ongoing)
    #expect(reports.filter { $0.state == .recovered }.count == 1)
    let report = try #require(reports.last)
    #expect(report.kind == .stall)
    #expect(report.phase.name == .timer)
    #expect(report.phase.item?.kind == "timer")
    #expect(report.phase.item?.madeAt?.line == line)
    #expect(report.phase.item?.madeAt?.file.hasSuffix("StallMonitorTests.swift") == true)
    // On a machine that is short of processors it may be starved in part; it never slept.
    #expect(report.cost.verdict != nil && report.cost.verdict != .blocked)
    #expect(report.time.duration >= .milliseconds(40))
    #expect(report.loop.name == "tested")
    #expect(report.loop.mode == "default")
    #expect(report.loop.thread.name != "?")
    // In a debug build the time is spread over what the spinning calls.
    let spinning = ["burnInTimer", "spinUntilConfirmed", "confirmed"]
    #expect(spinning.contains { report.culprit.name.contains($0) }, "\(report.culprit.name)")
    #expect(report.culprit.chain.contains { $0.contains("burnInTimer") })
  }

  @Test func `a job of an executor that is stuck is reported as that, with its culprit`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      Task(executorPreference: loop.taskExecutor) { @concurrent in burnInTimer(stalled) }
    }
    let report = try #require(reports.last)
    #expect(report.phase.name == .job)
    #expect(report.phase.item?.kind == "job")
    #expect(report.culprit.chain.contains { $0.contains("burnInTimer") })
  }

  @Test func `a blocked source callback is said to be blocked, and in which call`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      let pipe = Pipe()
      let source = RunLoop.Source { source in
        blockInRead(pipe, stalled)
        source.invalidate()
      }
      loop.add(source, to: .default)
      source.signal()
    }
    let report = try #require(reports.last)
    #expect(report.state == .recovered)
    #expect(report.phase.name == .source)
    #expect(report.cost.verdict == .blocked)
    #expect(report.cost.systemCall == "read")
    #expect(report.culprit.chain.contains { $0.contains("blockInRead") })
  }

  @Test func `in a forked child a monitor has no threads, and stopping it waits for none`() throws {
    let monitor = try StallMonitor()
    let child = test_fork()
    if child == 0 {
      let start = RunLoop.Instant.now
      let isDone = monitor.stop(waitingFor: .seconds(60))
      _exit(isDone && start.duration(to: .now) < .seconds(30) ? 0 : 1)
    }
    #expect(test_wait(child) == 0)
    #expect(monitor.stop(waitingFor: .seconds(60)))
  }

  @Test func `several loops that are stuck at once are each reported`() throws {
    let stalled = StalledLoop()
    let monitor = try StallMonitor(stalled.configuration())
    let threads = (0..<4).map { number in
      TestThread {
        let loop: Mainspring.RunLoop = .current
        monitor.watch(loop, as: "loop \(number)")
        // Watched and in a run, so that the stall is seen from its beginning.
        let timer = Mainspring.RunLoop.Timer(after: .milliseconds(1)) { _ in _ = stalled.spinUntilConfirmed(4)
        }
        loop.add(timer, to: .default)
        loop.run()
      }
    }
    for thread in threads { thread.join() }
    #expect(monitor.stop(waitingFor: .seconds(30)))
    let over = stalled.reports.withLock { $0 }.filter { $0.state == .recovered }
    #expect(Set(over.map(\.loop.name)) == ["loop 0", "loop 1", "loop 2", "loop 3"])
  }

  @Test(.answersSignals) func `a loop whose thread blocks all signals has stacks all the same`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      setSignalMask(blocking: nil)
      loop.add(RunLoop.Timer(after: .zero) { _ in _ = stalled.spinUntilConfirmed() }, to: .default)
    }
    let report = try #require(reports.last)
    #expect(report.samples.contains { $0.stack != nil })
  }

  @Test func `why there is no stack is said`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      // Then the thread cannot be stopped as by a debugger, either.
      guard test_forbid_reading_processes() == 0 else { exit(2) }
      let reports = try StalledLoop.reports { loop, stalled in
        setSignalMask(blocking: nil)
        loop.add(RunLoop.Timer(after: .zero) { _ in _ = stalled.spinUntilConfirmed() }, to: .default)
      }
      guard let report = reports.last, report.confidence.flags.contains("signals-blocked") else { exit(3) }
      exit(report.text().contains("signals-blocked") ? 0 : 4)
    }
  }

  @Test func `a loop that is watched twice is reported once, under its later name`() throws {
    let reports = try StalledLoop.reports(names: ["first", "second"]) { loop, stalled in
      loop.add(RunLoop.Timer(after: .zero) { _ in _ = stalled.spinUntilConfirmed() }, to: .default)
    }
    #expect(Set(reports.map(\.id)).count == 1)
    #expect(reports.allSatisfy { $0.loop.name == "second" })
  }

  @Test func `what is over when the monitor stops is told to be over`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.add(RunLoop.Timer(after: .zero) { _ in _ = stalled.spinUntilConfirmed() }, to: .default)
    }
    #expect(reports.last?.state == .recovered)
  }

  @Test func `a loop that is gone is not looked at any more`() {
    var beacon: Beacon? = Beacon()
    let request = { WatchRequest(number: 1, name: "gone", beacon: beacon!) }
    let loop = WatchedLoop(request(), WatchLimits(stall: .init(threshold: 1)))
    #expect(!loop.isOver)
    beacon = nil
    #expect(loop.isOver)
    #expect(!loop.needsLook)
  }

  @Test func `each stall has a report of its own`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      let count = Counter()
      // Each fire is in a pass of its own.
      let timer = RunLoop.Timer(every: .milliseconds(1)) { timer in
        let number = count.next()
        withExtendedLifetime(stalled.spinUntilConfirmed(number)) {}
        if number == 3 { timer.invalidate() }
      }
      loop.add(timer, to: .default)
    }
    let recovered = reports.filter { $0.state == .recovered }
    #expect(recovered.count == 3)
    #expect(Set(recovered.map(\.id)).count == 3)
    #expect(recovered.allSatisfy { $0.fingerprint != nil })
  }

  @Test func `several long callouts of one pass are one stall, and the longest is named`() throws {
    let reports = try StalledLoop.reports { loop, stalled in
      loop.perform(in: .default) {}
      loop.perform(in: .default) { _ = stalled.spinUntilConfirmed() }
      loop.perform(in: .default) {}
    }
    #expect(Set(reports.map(\.id)).count == 1)
    #expect(reports.last?.phase.item?.madeAt?.line == #line - 4)
  }

  @Test func `many short callouts of one pass are a backlog`() throws {
    let reports = try StalledLoop.reports(threshold: .milliseconds(200)) { loop, stalled in
      // Each lasts until another millisecond of the thread's own time is used up; all together pass the threshold.
      for _ in 0..<400 { loop.perform(in: .default) { burnOneMillisecond(unless: stalled) } }
    }
    let report = try #require(reports.last)
    #expect(report.kind == .backlog)
    #expect(report.shape.verdict == .manyItems)
    #expect(report.shape.itemsInPass ?? 0 > 10)
  }

  @Test func `a loop that waits or makes short passes is not reported`() throws {
    let reports = try StalledLoop.reports(threshold: .seconds(5)) { loop, _ in
      let box = Counter()
      loop.add(
        RunLoop.Timer(every: .milliseconds(1)) { timer in
          if box.next() == 50 { timer.invalidate() }
        }, to: .default)
    }
    #expect(reports.isEmpty)
  }

  @Test func `both files of a report are whole, private, and nothing else is left`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stalls-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let reports = try StalledLoop.reports(folder: folder) { loop, stalled in
      loop.perform(in: .default) { _ = stalled.spinUntilConfirmed() }
    }
    let day = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(day)").sorted()
    #expect(files.count == 2)
    #expect(files.contains { $0.hasSuffix(".txt") })
    let json = try #require(files.first { $0.hasSuffix(".json.gz") })
    let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(day)/\(json)"))
    let line = try Gzip.decompress(Array(data), limit: 1 << 24)
    let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    #expect(object["schema"] as? String == "stall-report/1")
    #expect(object["state"] as? String == "recovered")
    #expect(object["report_id"] as? String == reports.last.map { "\($0.id)" })
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(day)/\(json)")
    #expect((attributes[.posixPermissions] as? Int) == 0o600)
  }

  @Test func `a folder that cannot be made is named in the error`() {
    var configuration = StallMonitor.Configuration()
    configuration.folder = "/proc/no/such/folder"
    #expect {
      _ = try StallMonitor(configuration)
    } throws: { error in
      "\(error)".contains("/proc/no/such/folder")
    }
  }

  @Test func `a threshold that is too short is refused with the shortest`() {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = .milliseconds(5)
    #expect(throws: StallMonitor.StartError.thresholdTooShort(.milliseconds(5))) {
      _ = try StallMonitor(configuration)
    }
  }
}

@inline(never)
private func burnInTimer(_ stalled: StalledLoop) {
  withExtendedLifetime(stalled.spinUntilConfirmed()) {}
}

/// Uses up a millisecond of processor time, unless the stall that this is part of has been seen.
private func burnOneMillisecond(unless stalled: StalledLoop) {
  var used = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
  let end = used.tv_sec * 1_000_000_000 + used.tv_nsec + 1_000_000
  while stalled.confirmed == 0, used.tv_sec * 1_000_000_000 + used.tv_nsec < end {
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used)
  }
}

/// Reads from a pipe that is written to when the stall has been confirmed.
@inline(never)
private func blockInRead(_ pipe: Pipe, _ stalled: StalledLoop) {
  Thread {
    withExtendedLifetime(stalled.spinUntilConfirmed()) {}
    pipe.fileHandleForWriting.write(Data([1]))
  }.start()
  withExtendedLifetime(pipe.fileHandleForReading.readData(ofLength: 1)) {}
}

private final class Counter: @unchecked Sendable {
  // Sendable: used by one thread.
  private var count = 0
  func next() -> Int {
    count += 1
    return count
  }
}
