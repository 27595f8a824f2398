import CoreFoundation
import LinuxKernel
import Mainspring
import StallReport
import Synchronization
import Testing

@testable import StallMonitor
@testable import StallMonitorFoundation

@Suite(.serialized, .timeLimit(.minutes(3))) struct CFRunLoopTests {
  private typealias Phase = Mainspring.Phase

  private func runOnce(_ mode: CFString? = nil) {
    CFRunLoopRunInMode(mode ?? kCFRunLoopDefaultMode, 0, false)
  }

  /// A mode that is not common.
  private func privateMode() -> CFString {
    unsafe CFStringCreateWithCString(nil, "private", CFStringBuiltInEncodings.UTF8.rawValue)
  }

  // MARK: stalls

  @Test func `a timer's callout that is stuck is reported, and is known to be a timer's by its stack`() throws
  {
    let reports = try WatchedThread.reports { _, thread in
      let timer = timer { _ in tickUntilSeen(thread) }
      CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode)
      runOnce()
    }
    #expect(Set(reports.map(\.id)).count == 1)
    let report = try #require(reports.last)
    #expect(report.loop.kind == .cfRunLoop)
    #expect(report.loop.name == "tested")
    #expect(report.loop.nesting == 1)
    #expect(report.kind == .stall)
    #expect(report.shape.verdict == .unknown)
    #expect(report.phase.name == .timer)
    #expect(report.phase.source == .stack)
    #expect(report.culprit.chain.contains { $0.contains("tickUntilSeen") }, "\(report.culprit)")
  }

  @Test func `a callout that is busy after a nested run is seen`() throws {
    let reports = try WatchedThread.reports { _, thread in
      let loop = CFRunLoopGetCurrent()
      let source = source {
        let inner = timer { _ in }
        CFRunLoopAddTimer(loop, inner, kCFRunLoopDefaultMode)
        runOnce()
        tickUntilSeen(thread)
      }
      CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode)
      CFRunLoopSourceSignal(source)
      runOnce()
    }
    let report = try #require(reports.last)
    #expect(report.loop.nesting == 1)
    #expect(report.phase.name == .source)
    #expect(report.culprit.chain.contains { $0.contains("tickUntilSeen") })
  }

  /// One of the greatest order of all that was added after ours is called after them: its time is the wait's to a watcher.
  @Test(arguments: [CFIndex.min, 0, CFIndex.max - 1])
  func `an observer of the program's that is stuck before the wait is seen`(order: CFIndex) throws {
    let reports = try WatchedThread.reports { _, thread in
      let loop = CFRunLoopGetCurrent()
      let wait = CFRunLoopActivity.beforeWaiting.rawValue
      let observer = CFRunLoopObserverCreateWithHandler(nil, wait, false, order) { _, _ in
        tickUntilSeen(thread)
      }
      CFRunLoopAddObserver(loop, observer, kCFRunLoopDefaultMode)
      CFRunLoopAddTimer(loop, farTimer(), kCFRunLoopDefaultMode)
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.001, false)
    }
    let report = try #require(reports.last)
    #expect(report.phase.name.rawValue == "observer:beforeWaiting")
    #expect(report.phase.source == .both)
    #expect(report.phase.item?.kind == "observer")
  }

  @Test func `a loop that is watched from within a callout shows what it is doing`() throws {
    let reports = Locked<[Report]>([])
    let thread = WatchedThread()
    let monitor = try StallMonitor(thread.configuration)
    thread.run {
      let loop = CFRunLoopGetCurrent()
      let timer = timer { _ in
        monitor.watch(loop!, as: "late")
        tickUntilSeen(thread)
      }
      CFRunLoopAddTimer(loop, timer, kCFRunLoopDefaultMode)
      runOnce()
    }
    #expect(monitor.stop(waitingFor: .seconds(30)))
    reports.withLock { $0 = thread.reports.withLock { $0 } }
    #expect(reports.withLock { $0.last?.loop.name } == "late")
  }

  @Test func `a loop that is watched twice is reported once, under its later name`() throws {
    let reports = try WatchedThread.reports(names: ["first", "second"]) { _, thread in
      CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer { _ in tickUntilSeen(thread) }, kCFRunLoopDefaultMode)
      runOnce()
    }
    #expect(Set(reports.map(\.id)).count == 1)
    #expect(reports.last?.loop.name == "second")
  }

  // MARK: what is none

  @Test func `a source that signals itself again makes progress with each pass, and no wait`() throws {
    let seen = Locked<[Beacon.State]>([])
    try watchedBeacon { beacon in
      let loop = CFRunLoopGetCurrent()
      var kept: CFRunLoopSource?
      let source = source {
        seen.withLock { $0.append(beacon.shown) }
        if seen.withLock({ $0.count }) < 300 {
          CFRunLoopSourceSignal(kept)
        } else {
          CFRunLoopStop(loop)
        }
      }
      kept = source
      CFRunLoopAddSource(loop, source, kCFRunLoopDefaultMode)
      CFRunLoopSourceSignal(source)
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 3600, false)
      #expect(beacon.shown.phase == .outside)
      let hasWaited = beacon.hasWaited.load(ordering: .relaxed)
      #expect(!hasWaited)
    }
    let states = seen.withLock { $0 }
    #expect(states.count == 300)
    #expect(Set(states.map(\.progress)).count == 300)
    #expect(!states.contains { !$0.isBusy })
  }

  @Test func `a loop that waits is not woken, and its watcher has nothing to look for`() throws {
    let wakes = Atomic<Int>(0)
    let asleep = Atomic<Bool>(false)
    try watchedBeacon { beacon in
      let loop = CFRunLoopGetCurrent()!
      let awake = CFRunLoopActivity.afterWaiting.rawValue
      let counter = CFRunLoopObserverCreateWithHandler(nil, awake, true, 0) { _, _ in
        wakes.wrappingAdd(1, ordering: .relaxed)
      }
      CFRunLoopAddObserver(loop, counter, kCFRunLoopDefaultMode)
      CFRunLoopAddTimer(loop, farTimer(), kCFRunLoopDefaultMode)
      beacon.beginWatching()
      let watched = WatchedLoop(
        WatchRequest(number: 1, name: "tested", kind: .cfRunLoop, beacon: beacon),
        WatchLimits(StallMonitor.Configuration()))
      let handed = Handed((watched, loop))
      do throws(KernelError) {
        try NativeThread.start(named: "other") {
          while beacon.shown.phase != .waiting {}
          asleep.store(!handed.value.0.needsLook, ordering: .relaxed)
          CFRunLoopStop(handed.value.1)
        }
      } catch {
        Issue.record("\(error)")
      }
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 3600, false)
    }
    let (wasAsleep, wakeCount) = (asleep.load(ordering: .relaxed), wakes.load(ordering: .relaxed))
    #expect(wasAsleep)
    #expect(wakeCount == 1)
  }

  @Test func `runs are levels, in common modes and in those that were named`() throws {
    let seen = Locked<[String]>([])
    try watchedBeacon(modes: { [privateMode()] }) { beacon in
      let loop = CFRunLoopGetCurrent()
      func note(_ place: String) {
        seen.withLock { $0.append("\(place) \(beacon.shown.phase)@\(beacon.shown.nesting)") }
      }
      let inner = timer { _ in note("inner") }
      let outer = timer { _ in
        note("outer")
        CFRunLoopAddTimer(loop, inner, privateMode())
        runOnce(privateMode())
        note("after")
      }
      CFRunLoopAddTimer(loop, outer, kCFRunLoopDefaultMode)
      note("before")
      runOnce()
      note("end")
    }
    #expect(
      seen.withLock { $0 } == [
        "before outside@0", "outer betweenCallouts@1", "inner betweenCallouts@2", "after betweenCallouts@1",
        "end outside@0",
      ])
  }

  @Test func `each activity's observers show as its own`() throws {
    let seen = Locked<[String]>([])
    try watchedBeacon { beacon in
      let loop = CFRunLoopGetCurrent()
      let all = CFRunLoopActivity.allActivities.rawValue
      let observer = CFRunLoopObserverCreateWithHandler(nil, all, true, 0) { _, _ in
        seen.withLock { $0.append("\(beacon.shown.phase)") }
      }
      CFRunLoopAddObserver(loop, observer, kCFRunLoopDefaultMode)
      let timer = CFRunLoopTimerCreateWithHandler(nil, CFAbsoluteTimeGetCurrent() + 0.001, 0, 0, 0) { _ in }
      CFRunLoopAddTimer(loop, timer, kCFRunLoopDefaultMode)
      while CFRunLoopRunInMode(kCFRunLoopDefaultMode, 3600, true) == .handledSource {}
    }
    #expect(
      seen.withLock { $0.prefix(5) } == [
        "entry", "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting",
      ])
    #expect(seen.withLock { $0.last } == "exit")
  }

  @Test func `a loop that ends with its thread ends what is watched`() throws {
    weak var left: Beacon?
    try watchedBeacon { beacon in
      runOnce()
    } left: {
      left = $0
    }
    // The thread's own things are taken down by the time that it is gone, which is after it has said that it ends.
    while left != nil {}
    #expect(left == nil)
  }

  /// Runs `body` on a thread of its own with the beacon of its loop.
  private func watchedBeacon(
    modes: @escaping @Sendable () -> [CFString] = { [] }, _ body: @escaping @Sendable (Beacon) -> Void,
    left: (Beacon) -> Void = { _ in }
  ) throws {
    let thread = WatchedThread()
    let beacon = Locked<Beacon?>(nil)
    thread.run {
      let own = ObservedLoops.beacon(of: CFRunLoopGetCurrent(), modes())
      body(own)
      beacon.withLock { $0 = own }
    }
    beacon.withLock {
      $0.map(left)
      $0 = nil
    }
  }
}

/// Something that the next thread is given and may use, though the compiler cannot know: it is used by one at a time, or is
/// a loop, which anybody may stop.
private struct Handed<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

@inline(never)
private func tickUntilSeen(_ thread: WatchedThread) { _ = thread.spinUntilConfirmed() }
