// Stalls a loop in each way of Stalls.swift, and prints the issue of each: its name, key, and what the key was made from.
import Dispatch
import Glibc
import Mainspring
import StallMonitor
import StallReport
import Synchronization

let watch = Watch()
let finished = Mutex<[Report]>([])
let isOver = DispatchSemaphore(value: 0)

var configuration = StallMonitor.Configuration()
configuration.threshold = .milliseconds(60)
configuration.severeThresholds = []
configuration.programName = "rebuilt"
configuration.onReport = { report in
  if report.state == .ongoing { return watch.see() }
  finished.withLock { $0.append(report) }
  isOver.signal()
}
let monitor = try StallMonitor(configuration)
let loop = RunLoop.current
monitor.watch(loop, as: "main")
let helper = try RunLoopThread(named: "helper")
let queue = DispatchQueue(label: "store")
let store = Store(on: monitor.makeExecutor(as: "store") { job in queue.async { job() } })

/// What the machine's load changes is taken out: the verdict is the one that is meant.
func printIssue(_ name: String, isBusy: Bool) {
  guard isOver.wait(timeout: .now() + 60) == .success, var report = finished.withLock({ $0.last }) else {
    print("\(name)\tnone\t-")
    return
  }
  report.kind = .stall
  report.cost = Report.Cost(
    window: .seconds(1), cpu: isBusy ? .seconds(1) : .zero, runnable: .zero,
    offCPU: isBusy ? .zero : .seconds(1))
  report.computeFingerprint()
  print(
    "\(name)\t\(report.fingerprint?.level1 ?? "-")\t\(report.fingerprint?.basis.joined(separator: " | ") ?? "-")"
  )
}

func stall(_ name: String, isBusy: Bool = true, _ add: () -> Void) {
  watch.next()
  add()
  loop.run()
  printIssue(name, isBusy: isBusy)
}

func stallInTimer(_ name: String, isBusy: Bool = true, _ work: @escaping @Sendable () -> Void) {
  stall(name, isBusy: isBusy) {
    loop.add(RunLoop.Timer(after: .milliseconds(10)) { _ in work() }, to: .default)
  }
}

/// Runs `work` while the helper holds it up until the stall is seen.
func stallByHelper(
  _ name: String, _ hold: @escaping @Sendable (DispatchSemaphore) -> Void,
  _ work: @escaping @Sendable () -> Void
) {
  stall(name, isBusy: false) {
    loop.perform(in: .default) {
      let isHeld = DispatchSemaphore(value: 0)
      helper.perform { hold(isHeld) }
      isHeld.wait()
      work()
    }
  }
}

stallInTimer("busy") { crunch(watch) }
stallInTimer("sleep", isBusy: false) { nap(watch) }
stallInTimer("closures") { walkClosures(watch) }
stallInTimer("generic") { hashAll([1, 2, 3], watch) }
stallInTimer("inlined") { press(watch) }
stallInTimer("recursion") { descend(20, watch) }
stallInTimer("method") {
  var index = Index()
  index.update(watch)
}
stallInTimer("C library") { sortInC(watch) }
stallInTimer("nested run") {
  let inner = RunLoop.current
  inner.add(RunLoop.Timer(after: .milliseconds(1)) { _ in crunchInside(watch) }, to: "inner")
  inner.run(in: "inner", for: .seconds(60))
}
stall("observer") {
  loop.add(
    RunLoop.Observer(.beforeTimers, repeats: false) { _, _ in observe(watch) }, to: .default)
  loop.add(RunLoop.Timer(after: .milliseconds(10)) { _ in }, to: .default)
}
stall("source") {
  let source = RunLoop.Source { source in
    serve(watch)
    source.invalidate()
  }
  loop.add(source, to: .default)
  source.signal()
}
stallByHelper(
  "lock",
  { isHeld in
    watch.lock.withLock { _ in
      isHeld.signal()
      while !watch.isSeen { usleep(1000) }
    }
  }, { waitForLock(watch) })
stallByHelper(
  "read",
  { isHeld in
    isHeld.signal()
    while !watch.isSeen { usleep(1000) }
    watch.writeOne()
  }, { readSlowly(watch) })
watch.next()
let isDone = DispatchSemaphore(value: 0)
Task.detached {
  await store.reindex(watch)
  isDone.signal()
}
isDone.wait()
printIssue("async", isBusy: true)
monitor.stop()
