import Foundation

import class Mainspring.RunLoop

/// Whether an observer is called at the activity that it asked for.
///
/// What really goes on is told by marks that need no observer of the kind that is looked at: a block runs between
/// beforeSources and beforeWaiting, and CFRunLoop's own observers are asked for by their bits.
struct ObserverEnum: Scenario {
  let name = "observer-enum"
  let title = "one observer for each activity (Foundation: RunLoop._observe): which one calls it"
  let rules = Rules(41)

  func play(_ side: Side, _ notes: Notes) {
    switch side {
    case .coreFoundation: play(on: CoreFoundationLoop.self, notes, add: observeByFoundation)
    case .mainspring: play(on: MainspringLoop.self, notes, add: observeByMainspring)
    }
  }

  /// Adds, for each activity, the observer that is looked at; then notes which activity was on when it was called.
  private func play<Loop: ComparedLoop>(
    on _: Loop.Type, _ notes: Notes, add: (Activity, @escaping @Sendable () -> Void) -> () -> Void
  ) {
    let loop = Loop.current
    loop.keepAlive(Loop.defaultMode)
    let current = Shared<Activity?>(nil)
    for activity in Activity.allCases {
      loop.addObserver(of: activity, to: Loop.defaultMode) { current.value = activity }
    }
    for activity in Activity.allCases {
      let seen = Shared<[String]>([])
      // Added last, it is called after the one that says which activity is on.
      let remove = add(activity) { seen.change { $0.append(current.value?.rawValue ?? "none") } }
      loop.run(in: Loop.defaultMode, for: .milliseconds(10))
      remove()
      notes.note(activity.rawValue, Set(seen.value).sorted().joined(separator: " "))
    }
  }

  private func observeByFoundation(
    _ activity: Activity, _ handler: @escaping @Sendable () -> Void
  ) -> () -> Void {
    let asked: Foundation.RunLoop._Activity =
      switch activity {
      case .entry: .entry
      case .beforeTimers: .beforeTimers
      case .beforeSources: .beforeSources
      case .beforeWaiting: .beforeWaiting
      case .afterWaiting: .afterWaiting
      case .exit: .exit
      }
    let loop = Foundation.RunLoop.current
    let observer = loop._observe(asked, in: .default, repeats: true, order: 1) { _ in handler() }
    return { observer.invalidate() }
  }

  private func observeByMainspring(
    _ activity: Activity, _ handler: @escaping @Sendable () -> Void
  ) -> () -> Void {
    let observer = RunLoop.Observer(RunLoop.Activity(activity), order: 1) { _, _ in handler() }
    RunLoop.current.add(observer, to: .default)
    return { observer.invalidate() }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    var wrong: [String] = []
    for activity in Activity.allCases {
      let seen = try facts.text(activity.rawValue)
      if seen != activity.rawValue { wrong.append("\(activity) \(seen.isEmpty ? "never" : "at \(seen)")") }
    }
    guard wrong.isEmpty else {
      return Finding("called wrongly: " + wrong.joined(separator: ", "), isRight: false)
    }
    return Finding("each at its own, all \(Activity.allCases.count)", isRight: true)
  }
}
