import Mainspring
import StallReport

extension Phase {
  /// The phase as reports name it.
  var reportName: Report.PhaseName {
    switch self {
    case .source, .sourceRegistration: .source
    case .descriptor, .port: .port
    case .timer: .timer
    case .block: .block
    case .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit:
      Report.PhaseName(rawValue: "observer:\(self)")
    case .work, .job: Report.PhaseName(rawValue: "\(self)")
    case .waiting: .wait
    case .outside, .betweenCallouts: Report.PhaseName(rawValue: "pass")
    }
  }

  /// The kind of item whose callout it is.
  var itemName: String {
    switch self {
    case .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit: "observer"
    case .descriptor: "descriptor source"
    case .sourceRegistration: "source"
    default: "\(self)"
    }
  }
}

extension OpenStall.TimedSample {
  var method: Report.Sample.Method {
    if isUnchanged { return .unchanged }
    switch stack?.method {
    case .signal: return .signal
    case .passive: return .scan
    case nil: return .none
    }
  }
}
