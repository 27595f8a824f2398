import Injecting
import Mainspring
import Synchronization
import TruthLog

/// Posts a block and waits for it: if it did not run within the threshold, the loop hangs. Sentry's first rule: five
/// looks a threshold, and a look that came too late by itself counts for nothing.
final class PingWatchdog: Baseline {
  private let isOver = Flag()

  init(_ stage: LoopStage, _ threshold: UInt64, _ log: LogFile) {
    let log = BaselineLog("ping", stage, log)
    let (loop, isOver) = (stage.loop, isOver)
    startThread(named: "ping") {
      while !isOver.isSet {
        let answer = Answer()
        let sent = Clock.now()
        for mode in [RunLoop.Mode.default, LoopStage.otherMode, LoopStage.nestedMode] {
          loop.perform(in: mode) { answer.give() }
        }
        var detected: UInt64?
        var looks = 0
        while !isOver.isSet, answer.time == 0 {
          let before = Clock.now()
          Clock.rest(threshold / 5)
          let isPunctual = Clock.now() - before < threshold
          if isPunctual { looks += 1 }
          if looks >= 5, detected == nil, answer.time == 0 { detected = Clock.now() }
        }
        if let detected { log.write(Interval(sent, max(detected, answer.time)), detected: detected) }
        Clock.rest(threshold / 5)
      }
    }
  }

  func end() { isOver.set() }

  private final class Answer: Sendable {
    private let value = Atomic<UInt64>(0)
    var time: UInt64 { value.load(ordering: .acquiring) }
    func give() { if time == 0 { value.store(Clock.now(), ordering: .releasing) } }
  }
}
