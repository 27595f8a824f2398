/// Items, what each does at each of its calls, what the main line does, and what others do when.
package struct Program: Sendable {
  package let seed: UInt64
  package var items: [Kind] = []
  /// By item, then by call. Later calls do nothing, but that a descriptor's takes all readiness away, and a stopper's
  /// stops the run.
  package var behaviours: [[[Act]]] = []
  /// By block.
  package var blocks: [[Act]] = []
  package var tokenCount = 0
  package var descriptorCount = 0
  package var mainLine: [Act] = []
  package var events: [(after: Int, acts: [Act])] = []
  /// Timers that are due over and over, and stop the run once they have done what they are to do: so that no run sleeps.
  package var stoppers: Set<Int> = []
  /// A source that stays in its modes, so that they are never empty.
  package var anchor: Int?

  package init(seed: UInt64) { self.seed = seed }

  /// What an item is.
  package enum Kind: Sendable {
    case source(order: Int)
    /// Milliseconds after the start.
    case timer(first: Int)
    case repeatingTimer(every: Int)
    case rearmableTimer
    case observer(activities: Activity, repeats: Bool, order: Int)
    case descriptor(Int, interest: Readiness, isEdge: Bool, order: Int)
    case port(capacity: Int?, order: Int)
    case batch(order: Int)
    case idleQueue(capacity: Int?, Overflow, order: Int)
  }

  /// What a full idle queue does.
  package enum Overflow: Int, CaseIterable, Sendable { case refuse, dropOldest, dropNewest }

  /// The modes that programs use, and the one that stands for modes.
  package enum Mode: Int, CaseIterable, Sendable {
    case `default`, tracking, initialization
    /// Only one whose number is not fixed: those that share a bit in the mask of whom to wake cause needless wake-ups.
    case other
    case common

    /// Those that a loop can run in.
    package static let runnable = [Mode.default, .tracking, .initialization, .other]
  }

  /// The activities of a run, with the numbers that the loop and CFRunLoop give them in this order.
  package struct Activity: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let entry = Activity(rawValue: 1)
    package static let beforeTimers = Activity(rawValue: 2)
    package static let beforeSources = Activity(rawValue: 4)
    package static let beforeWaiting = Activity(rawValue: 8)
    package static let afterWaiting = Activity(rawValue: 16)
    package static let exit = Activity(rawValue: 32)
  }

  /// What a descriptor is ready for, with the loop's bits.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)
    package static let error = Readiness(rawValue: 8)
    package static let hangUp = Readiness(rawValue: 16)
  }
}
