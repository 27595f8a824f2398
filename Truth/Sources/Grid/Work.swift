/// What an injection does for its time.
public enum Work: String, Sendable, CaseIterable {
  // On a processor, for so much of its own time: what is taken from it makes it no shorter.
  case spin, malloc, dictionary, strings, recursion
  case pageFaults = "page-faults"
  case lookup
  /// 70 % in one function and then 30 % in another.
  case twoParts = "two-parts"
  // Off it.
  case sleep
  case usleep, poll, lock
  case swiftMutex = "swift-mutex"
  case pipe, condition, fsync
  case child
  /// Two threads that wait for each other's lock, until a third one lets them go.
  case deadlock
  /// Sleeps in slices that it counts itself: what it is stopped for makes it no shorter.
  case sleepOwn = "sleep-own"
  // Both.
  case alternating
  // Many short items.
  case backlog, saturation
  /// Nothing at all, for that long: the loops are left alone.
  case nothing

  /// The function that is to blame; nil where no single one is.
  public var function: String? {
    switch self {
    case .spin: "spin"
    case .malloc: "stormMalloc"
    case .dictionary: "fillDictionary"
    case .strings: "joinStrings"
    case .recursion: "recurseDeeply"
    case .pageFaults: "touchFreshPages"
    case .lookup: "lookUpLiteral"
    case .twoParts: "heavyPart"
    case .sleep: "sleepInSlices"
    case .usleep: "sleepOnce"
    case .poll: "pollForNothing"
    case .lock: "waitForLock"
    case .swiftMutex: "waitForSwiftMutex"
    case .pipe: "readFromPipe"
    case .condition: "waitForCondition"
    case .fsync: "syncFile"
    case .child: "waitForChild"
    case .deadlock: "waitInCircle"
    case .sleepOwn: "sleepOwnSlices"
    case .alternating: "alternateWorkAndSleep"
    case .backlog: "shortItem"
    case .saturation: "signalledAgain"
    case .nothing: nil
    }
  }

  /// What a report should say of where the time went.
  public enum Class: String, Sendable {
    case busy, blocked
    /// As the thread's own figures say: how the time is split depends on the machine.
    case measured
  }

  public var meantClass: Class {
    switch self {
    case .spin, .malloc, .dictionary, .strings, .recursion, .twoParts, .backlog, .saturation: .busy
    case .sleep, .usleep, .poll, .lock, .swiftMutex, .pipe, .condition, .child, .deadlock, .sleepOwn: .blocked
    case .fsync, .alternating, .pageFaults, .lookup, .nothing: .measured
    }
  }

  /// The share of the time that is the function's.
  public var share: Double { self == .twoParts ? 0.7 : 1 }

  /// The kind that a report should have.
  public var kind: String {
    switch self {
    case .backlog: "backlog"
    case .saturation: "saturation"
    case .deadlock: "deadlock"
    default: "stall"
    }
  }
}
