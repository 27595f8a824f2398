import Mainspring
import MainspringTesting

extension RunLoop {
  /// One pass that does not sleep.
  @discardableResult
  func turn(in mode: Mode = .default, returnAfterSourceHandled: Bool = false) -> RunResult {
    run(in: mode, for: .zero, returnAfterSourceHandled: returnAfterSourceHandled, whenEmpty: .wait)
  }
}

extension VirtualRunLoop {
  /// How many passes were begun since the trace was cleared.
  var passCount: Int { trace.phases.count { $0 == "beforeTimers" } }
}
