import LinuxKernel
import Mainspring

/// The loops whose passes are counted, by name. Any thread.
final class WatchedLags: Sendable {
  private struct Entry {
    var name: String
    weak var beacon: Beacon?
  }

  private let entries = Locked<[Entry]>([])

  /// Begins to count. Watched again, a loop gets the new name.
  func add(_ beacon: Beacon, as name: String) {
    beacon.measureLag(byPhase: false)
    entries.withLock { entries in
      entries.removeAll { $0.beacon == nil || $0.beacon === beacon }
      entries.append(Entry(name: name, beacon: beacon))
    }
  }

  /// What was counted, by name; loops of one name one after the other. Loops that are gone are not among them.
  var current: [(name: String, lag: RunLoop.LagHistogram)] {
    let living = entries.withLock { entries in
      entries.compactMap { entry in entry.beacon?.lagCounters.map { (name: entry.name, lag: $0.histogram) } }
    }
    return living.sorted { $0.name < $1.name }
  }
}
