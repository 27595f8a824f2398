import CTestCalls
import Mainspring
import StallReport
import Symbols
import Testing

@testable import StallMonitor

/// What the report says of a sample of all threads, and of who waits for whom.
@Suite struct ReportedThreadsTests {
  private static let stalled: Int32 = 7

  private func thread(_ number: Int32, _ target: WaitTarget? = nil, registers: RegisterSet? = nil)
    -> ProcessSample.Thread
  {
    var thread = ProcessSample.Thread(
      number: number, name: "thread \(number)", state: "S", systemCall: .unknown, waitsFor: target)
    thread.cpuSinceNote = .milliseconds(Int64(number))
    guard let registers else { return thread }
    thread.stack = StackSample(
      thread: number, threadName: thread.name, method: .signal,
      stack: UnwoundStack(
        frames: [UnwoundFrame(programCounter: 0x1234, kind: .exact, origin: .registers)], end: .base),
      registers: registers, modules: ModuleMap(parsing: []), state: "S", systemCall: .unknown,
      voluntarySwitches: 0, waitChannel: nil, pause: .zero, latency: .zero, isTruncated: false,
      didRestartCall: false)
    return thread
  }

  private func report(_ change: (inout FrameTable, inout Report) -> Void) -> Report {
    var report = Report(
      id: .random(), kind: .stall, state: .ongoing, app: Report.Application(name: "tested"),
      process: Report.Process(pid: 1),
      loop: Report.Loop(
        id: 1, name: "tested", thread: Report.ThreadName(tid: Int(Self.stalled), name: nil), mode: nil),
      phase: Report.Phase(name: .timer, source: .observer),
      time: Report.Time(
        startUnix: .now, start: Report.MonotonicTime(nanoseconds: 0), end: nil, threshold: .seconds(1),
        duration: .seconds(2)),
      cost: Report.Cost(), monitor: Report.Monitor(version: "0"))
    let memory = OwnMemory()
    var frames = FrameTable(
      symbolicator: Symbolicator(memory: memory), facts: ProcessFacts(memory: memory))
    change(&frames, &report)
    return report
  }

  @Test func `threads with states, waits and stacks, and registers of the stalled one alone`() {
    var registers = RegisterSet()
    registers[Register.programCounter] = 0x1234
    registers[Register.rsp] = 0x7FFF
    let sample = ProcessSample(
      stalled: Self.stalled,
      threads: [
        thread(7, WaitTarget(.mutex, address: 0x10, owner: 8), registers: registers),
        thread(8, WaitTarget(.pipe), registers: registers),
      ], omittedCount: 3, time: 0)
    let report = report { frames, report in
      ReportBuilder.addThreads(sample, stalled: nil, frames: &frames, to: &report)
    }
    #expect(report.threads.map(\.name.tid) == [7, 8])
    #expect(report.threads.map(\.isStalled) == [true, false])
    #expect(report.threads[0].registers == ["rip": 0x1234, "rsp": 0x7FFF])
    #expect(report.threads[1].registers == nil)
    #expect(report.threads[0].waitsOn == Report.WaitTarget(kind: "mutex", address: 0x10, owner: 8))
    #expect(report.threads[1].waitsOn == Report.WaitTarget(kind: "pipe"))
    #expect(report.threads[1].cpu == .milliseconds(8))
    #expect(report.threads.allSatisfy { $0.stack == 0 })
    #expect(report.process.threads == 5)
    #expect(report.waits.edges == [Report.Waits.Edge(waiter: 7, owner: 8, kind: "mutex")])
    #expect(report.kind == .stall)
    #expect(report.confidence.flags.contains("threads-omitted"))
  }

  @Test func `a circle makes the report a deadlock's`() {
    let links = [(7, 8), (8, 7)].map { thread, owner in
      WaitChain.Link(
        thread: thread, target: WaitTarget(.mutex, address: 1, owner: owner), systemCall: .unknown,
        voluntarySwitches: 0)
    }
    let chain = WaitChain(from: 7) { number in links.first { $0.thread == number } }
    let report = report { frames, report in
      ReportBuilder.addThreads(
        ProcessSample(stalled: Self.stalled, threads: [thread(7), thread(8)], time: 0), stalled: nil,
        frames: &frames, to: &report)
      ReportBuilder.addWaits(chain, deadlock: links, to: &report)
    }
    #expect(report.kind == .deadlock)
    #expect(report.waits.cycle == [7, 8])
    #expect(report.waits.edges.map(\.waiter) == [7, 8])
    #expect(report.threads[0].waitsOn?.owner == 8)
  }

  @Test func `who seems to wait for himself once is not said to`() {
    let own = WaitChain.Link(
      thread: 7, target: WaitTarget(.mutex, address: 1, owner: 7), systemCall: .unknown, voluntarySwitches: 0)
    let chain = WaitChain(from: 7) { number in number == 7 ? own : nil }
    let report = report { frames, report in
      ReportBuilder.addThreads(
        ProcessSample(stalled: Self.stalled, threads: [thread(7)], time: 0), stalled: nil, frames: &frames,
        to: &report)
      ReportBuilder.addWaits(chain, deadlock: nil, to: &report)
    }
    #expect(report.kind == .stall)
    #expect(report.waits.edges.isEmpty)
    #expect(report.threads[0].waitsOn?.kind == "mutex")
    #expect(report.threads[0].waitsOn?.owner == nil)
  }
}

/// What the report says of functions that the compiler put into others.
@Suite struct ReportedInlinesTests {
  @Test func `an inlined function names the one that it was inlined into`() throws {
    let over = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    // SAFETY: one word that both threads read and write whole; it lives until the monitor has stopped.
    unsafe over.initialize(to: 0)
    defer { unsafe over.deallocate() }
    let address = UInt(bitPattern: over)
    let reports = try StalledLoop.reports {
      let told = $0.onReport
      $0.onReport = { report in
        told?(report)
        unsafe UnsafeMutablePointer<UInt32>(bitPattern: address)!.pointee = 1
      }
    } _: { loop, _ in
      loop.perform(in: .default) { unsafe test_spin_around(UnsafePointer(bitPattern: address)!) }
    }
    let table = try #require(reports.last).stacks
    let inlined = try #require(table.frames.first { $0.symbol == "inlined_spin" })
    let outer = table.frames[try #require(inlined.inlinedInto)]
    #expect(outer.symbol == "test_spin_around")
    #expect(outer.offset == inlined.offset)
    #expect(outer.inlinedInto == nil)
  }
}
