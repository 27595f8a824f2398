import Injecting
import Mainspring

extension Baselines {
  /// From the end of a wait to the next one: what KSCrash's watchdog and Sentry's newer tracker go by. A loop that never
  /// waits is stuck to it.
  static func waitingOnly(_ stage: LoopStage, _ threshold: UInt64, _ log: LogFile) -> any Baseline {
    let stretch = Stretch()
    stage.loop.observe([.afterWaiting, .beforeWaiting], order: 0) { activity in
      if activity == .afterWaiting { stretch.begin() } else { stretch.end() }
    }
    return StretchWatch(
      stretch, threshold: threshold, every: threshold / 5, to: BaselineLog("waiting-only", stage, log))
  }

  /// Two observers, before and after all others, keep one Boolean and one stamp: what Matrix does. The end of a nested
  /// run says that the outer one does not run either.
  static func booleanObservers(_ stage: LoopStage, _ threshold: UInt64, _ log: LogFile) -> any Baseline {
    let stretch = Stretch()
    stage.loop.observe([.entry, .beforeTimers, .beforeSources, .afterWaiting], order: .min) { _ in
      stretch.begin()
    }
    stage.loop.observe([.beforeWaiting, .exit], order: .max) { _ in stretch.end() }
    return StretchWatch(
      stretch, threshold: threshold, every: threshold / 2, to: BaselineLog("boolean", stage, log))
  }

  /// The length of a tick, where what comes out of the wait counts as sleep: what SwiftNIO's tick information tells, in
  /// which handlers of channels run inside the wait.
  static func tickDelegate(_ stage: LoopStage, _ threshold: UInt64, _ log: LogFile) -> any Baseline {
    let stretch = Stretch()
    stage.loop.observe(.beforeTimers, order: .min) { _ in stretch.begin() }
    stage.loop.observe([.beforeWaiting, .exit], order: .max) { _ in stretch.end() }
    return StretchWatch(
      stretch, threshold: threshold, every: threshold / 5, to: BaselineLog("tick-delegate", stage, log))
  }
}
