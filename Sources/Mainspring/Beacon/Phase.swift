/// Where in a pass a loop is: what the beacon shows and a trace records.
package enum Phase: UInt8, Sendable, CaseIterable {
  /// No run is on.
  case outside
  /// Between beforeWaiting and afterWaiting, in the wait itself.
  case waiting
  /// In a pass, between callouts.
  case betweenCallouts
  // Callouts to observers, one for each activity.
  case entry, beforeTimers, beforeSources, beforeWaiting, afterWaiting, exit
  // Callouts of the other kinds.
  case block, source, timer, descriptor, port
  /// A source's schedule or cancel callback.
  case sourceRegistration
  /// What a loop that is not Mainspring's does. The site's file is the word that it has for that, its line is 0.
  case work
  /// A job of an executor.
  case job

  /// The word for people and for reports.
  package var name: String {
    switch self {
    case .outside: "outside"
    case .waiting: "wait"
    case .betweenCallouts: "pass"
    case .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit: "observer:\(self)"
    case .sourceRegistration: "source registration"
    case .block, .source, .timer, .descriptor, .port, .work, .job: "\(self)"
    }
  }

  /// Whether it is a callout to observers.
  var isActivity: Bool { rawValue >= Phase.entry.rawValue && rawValue <= Phase.exit.rawValue }

  /// Whether the loop is in code of the user's.
  package var isCallout: Bool { rawValue >= Phase.entry.rawValue }
}
