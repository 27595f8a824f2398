import CCounts
import CoreFoundation
import Dispatch
import Glibc
import StallMonitor
import StallMonitorDispatch
import StallMonitorFoundation

/// What being watched costs loops that are not Mainspring's: time and allocations of an operation with and without, in one
/// process and in turns. Ends with 1 if a goal is missed.
@main
struct AdapterCosts {
  static func main() throws {
    let monitor = try StallMonitor()
    let costs = [marks(monitor), pass(monitor), waitingPass(monitor), block(monitor)]
    print(
      "operation                          without ns   watched ns   more ns   allocations more   at most ns")
    for cost in costs { print(cost.line) }
    exit(costs.allSatisfy(\.isMet) ? 0 : 1)
  }

  /// A loop of its own that marks a pass.
  private static func marks(_ monitor: StallMonitor) -> Cost {
    let marks = monitor.watch(loopNamed: "marks", kind: .custom)
    return Cost(
      "marks of a pass: work, wait", goal: 40, allocationGoal: 0, count: 20_000,
      without: { count in for _ in 0..<count { barrier() } },
      watched: { count in
        for _ in 0..<count {
          marks.willWork()
          barrier()
          marks.willWait()
        }
      })
  }

  /// A run of CFRunLoop with one pass that does not wait.
  private static func pass(_ monitor: StallMonitor) -> Cost {
    let run = { (count: Int) in
      for _ in 0..<count { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false) }
    }
    return Cost(
      "CFRunLoop: run, pass", goal: 1500, allocationGoal: 0, count: 500,
      without: { run($0) }, watched: { run($0) },
      prepare: { CFRunLoopAddTimer(CFRunLoopGetCurrent(), farTimer(), kCFRunLoopDefaultMode) },
      prepareWatched: { monitor.watch(CFRunLoopGetCurrent(), as: "pass") })
  }

  /// Passes of one run, each with a wait that is over at once, since a block was queued and the loop woken.
  private static func waitingPass(_ monitor: StallMonitor) -> Cost {
    let run = { (count: Int) in
      let loop = CFRunLoopGetCurrent()
      var left = count
      func queue() {
        CFRunLoopPerformBlock(loop, kCFRunLoopDefaultMode) {
          left -= 1
          if left > 0 { queue() } else { CFRunLoopStop(loop) }
        }
        CFRunLoopWakeUp(loop)
      }
      queue()
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 3600, false)
    }
    return Cost(
      "CFRunLoop: pass with a wait", goal: 1500, allocationGoal: 0, count: 500,
      without: { run($0) }, watched: { run($0) },
      prepare: { CFRunLoopAddTimer(CFRunLoopGetCurrent(), farTimer(), kCFRunLoopDefaultMode) },
      prepareWatched: { monitor.watch(CFRunLoopGetCurrent(), as: "waiting pass") })
  }

  /// A block given to a serial queue and done.
  private static func block(_ monitor: StallMonitor) -> Cost {
    let queue = DispatchQueue(label: "without")
    let watched = monitor.watch(DispatchQueue(label: "watched"), as: "watched")
    return Cost(
      "dispatch: async block, done", goal: 300, allocationGoal: 2, count: 2_000,
      without: { count in
        for _ in 0..<count { queue.async { barrier() } }
        queue.sync {}
      },
      watched: { count in
        for _ in 0..<count { watched.async { barrier() } }
        watched.sync {}
      })
  }

  private static func farTimer() -> CFRunLoopTimer? {
    CFRunLoopTimerCreateWithHandler(nil, CFAbsoluteTimeGetCurrent() + 3600, 0, 0, 0) { _ in }
  }

  @inline(never)
  private static func barrier() {}
}
