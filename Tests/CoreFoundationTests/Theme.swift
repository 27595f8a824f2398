import SimulationPrograms

/// What a program has most of.
enum Theme: CaseIterable {
  case runs, blocks, sources, timers, observers, modes

  /// What an act can be, often the theme's.
  enum Choice: CaseIterable {
    case signal, perform, add, remove, invalidate, setDate, makeCommon, stop, run

    /// What the main line does, too: outside runs a stop is kept by the loop and lost by CFRunLoop (CF 71, M7), and the
    /// runs of the main line have their places.
    var isForMainLine: Bool { self != .stop && self != .run }
  }

  /// How often it is chosen, in proportion.
  func weight(of choice: Choice) -> Int {
    switch (self, choice) {
    case (.runs, .run): 16
    case (.runs, .stop): 6
    case (.blocks, .perform): 20
    case (.sources, .signal): 24
    case (.sources, .remove), (.sources, .invalidate): 4
    case (.timers, .setDate): 20
    case (.observers, .remove), (.observers, .add), (.observers, .invalidate): 8
    case (.modes, .add), (.modes, .remove): 8
    case (.modes, .makeCommon): 6
    case (_, .signal), (_, .setDate): 5
    case (_, .perform), (_, .run): 3
    case (_, .add), (_, .remove): 2
    case (_, .invalidate), (_, .makeCommon), (_, .stop): 1
    }
  }
}
