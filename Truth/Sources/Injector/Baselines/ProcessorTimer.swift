import Glibc
import Injecting
import Mainspring
import Synchronization
import TruthLog

/// Fires when the thread has had the threshold's time of a processor since its loop last finished something: Seastar's
/// rule, by looks at the thread's own clock in place of a timer on it.
final class ProcessorTimer: Baseline {
  private let isOver = Flag()

  init(_ stage: LoopStage, _ threshold: UInt64, _ log: LogFile) {
    let log = BaselineLog("cpu-timer", stage, log)
    let finished = Finished()
    stage.loop.observe(.all, order: .min) { _ in finished.count.wrappingAdd(1, ordering: .releasing) }
    let isOver = isOver
    startThread(named: "cpu-timer") {
      // The loop's thread is known once it runs.
      Clock.rest(100_000_000)
      var clock = clockid_t()
      guard let thread = stage.thread, pthread_getcpuclockid(thread, &clock) == 0 else { return }
      var mark = (count: 0, cpu: 0 as UInt64, wall: 0 as UInt64)
      var detected: UInt64?
      while !isOver.isSet {
        Clock.rest(threshold / 10)
        var time = timespec()
        clock_gettime(clock, &time)
        let cpu = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        let (count, now) = (finished.count.load(ordering: .acquiring), Clock.now())
        if count != mark.count {
          if let detected { log.write(Interval(mark.wall, now), detected: detected) }
          (mark, detected) = ((count, cpu, now), nil)
        } else if detected == nil, cpu - mark.cpu >= threshold {
          detected = now
          // It began when the processor's time did: an idle loop has none.
          mark.wall = max(mark.wall, now - (cpu - mark.cpu))
        }
      }
    }
  }

  func end() { isOver.set() }

  private final class Finished: Sendable { let count = Atomic(0) }
}
