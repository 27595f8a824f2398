extension RunLoop {
  /// What a loop's time is told apart by, where `measureLag(byPhase:)` asks for it.
  public enum LagPhase: String, Sendable, CaseIterable {
    /// Blocks that were sent to it.
    case block
    /// Sources that were signalled.
    case source
    /// Timers.
    case timer
    /// Descriptors that were ready.
    case descriptor
    /// Messages of ports.
    case port
    /// Observers, all of one activity together.
    case observer
    /// Jobs of executors.
    case job
    /// The loop itself, between callouts.
    case loop

    var index: Int {
      switch self {
      case .block: 0
      case .source: 1
      case .timer: 2
      case .descriptor: 3
      case .port: 4
      case .observer: 5
      case .loop: 6
      case .job: 7
      }
    }

    /// Nil for what is no work of the loop's.
    init?(_ phase: Phase) {
      switch phase {
      case .block, .work: self = .block
      case .source, .sourceRegistration: self = .source
      case .timer: self = .timer
      case .descriptor: self = .descriptor
      case .port: self = .port
      case .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit: self = .observer
      case .job: self = .job
      case .betweenCallouts: self = .loop
      case .outside, .waiting: return nil
      }
    }
  }
}
