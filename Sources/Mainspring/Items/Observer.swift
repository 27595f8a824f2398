import Synchronization

extension RunLoop {
  /// The moments of a run that an observer can be called at.
  public struct Activity: OptionSet, Hashable, Sendable {
    /// A bit for each activity.
    public let rawValue: UInt8
    /// The activities of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Once, before the first pass of a run. Not where there is none: in an empty mode, or after a stop that was kept.
    public static let entry = Activity(rawValue: 1)
    /// At the top of each pass.
    public static let beforeTimers = Activity(rawValue: 2)
    /// Before blocks and version-0 sources are looked at.
    public static let beforeSources = Activity(rawValue: 4)
    /// Before the loop waits. A pass that has no time to wait leaves it out, but for every 64th in a row or after 8 ms
    /// of them.
    public static let beforeWaiting = Activity(rawValue: 8)
    /// After the loop waited; follows each `beforeWaiting`.
    public static let afterWaiting = Activity(rawValue: 16)
    /// Once, after the last pass.
    public static let exit = Activity(rawValue: 32)

    /// Every activity.
    public static let all: Activity = [
      .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit,
    ]
  }

  /// Is called at chosen activities of the runs of its modes. Does not keep a mode from being empty.
  ///
  /// Observers of one activity are called by order number, equal ones in the order of adding. One that is added
  /// during an activity waits for the next. An observer is not called again from within its own callout.
  public class Observer: Item, @unchecked Sendable {
    // Sendable: as `Item`; the handler and what is marked as unchecked belong to the loop's thread.
    /// When it is called.
    public final let activities: Activity
    /// Whether it is called more than once.
    public final let repeats: Bool
    @safe @exclusivity(unchecked) private final var handler: ObserverHandler
    @safe @exclusivity(unchecked) private(set) final var isInHandler = false
    /// What it has to do itself, as counted in its scopes; see `Observer+Work.swift`.
    @safe @exclusivity(unchecked) final var work = Work.none
    /// Whether a notice of work is on its way to the loop's thread.
    final let isWorkNoticed = Atomic<Bool>(false)

    /// An observer of these activities.
    ///
    /// - Parameters:
    ///   - activities: one or several; it is called for each with the one that it is.
    ///   - repeats: without it the observer is invalidated after its first call.
    ///   - order: smaller numbers are called first.
    ///   - handler: called on the loop's thread.
    public convenience init(
      _ activities: Activity, repeats: Bool = true, order: Int = 0,
      file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (Observer, Activity) -> Void
    ) {
      self.init(activities, repeats: repeats, order: order, site: CallSite(file, line), handler: handler)
    }

    init(
      _ activities: Activity, repeats: Bool, order: Int, site: CallSite,
      handler: @escaping @Sendable (Observer, Activity) -> Void
    ) {
      self.activities = activities
      self.repeats = repeats
      self.handler = ObserverHandler(handler)
      super.init(order: order, site: site)
    }

    /// When it was added to its modes: its place among those of its order number.
    @safe @exclusivity(unchecked) private final var sequences: [(mode: Mode, sequence: UInt64)] = []

    /// When it was first added to any: not before that was it on a list to be called.
    @safe @exclusivity(unchecked) private final var firstSequence = UInt64.max

    final func sequence(in mode: Mode) -> UInt64 { sequences.first { $0.mode == mode }!.sequence }
    final func setSequence(_ sequence: UInt64, in mode: Mode) {
      firstSequence = min(firstSequence, sequence)
      sequences.append((mode, sequence))
    }
    final func wasAdded(before listing: UInt64) -> Bool { firstSequence <= listing }
    final func forgetSequence(in mode: Mode) { sequences.removeAll { $0.mode == mode } }

    override final var isInCallout: Bool { isInHandler }

    @inline(__always)
    final func callOut(_ activity: Activity) {
      isInHandler = true
      handler(self, activity)
      isInHandler = false
      if !repeats { invalidate() }
      calloutEnded()
    }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      scope.insert(self, keeping: place?.sequence)
      loop.forEachView(seeing: scope) { $0.observersChanged() }
      refreshWork()
    }
    override final func place(in scope: Scope) -> Place { Place(sequence: scope.place(of: self)) }
    override func didDetach(from scope: Scope, of loop: RunLoop) {
      scope.remove(self)
      loop.forEachView(seeing: scope) { $0.observersChanged() }
    }
    override func releaseHandlers() { if !isInHandler { _ = take(&handler, leaving: .none) } }
    override final var keepsModeAlive: Bool { work.keepsModeAlive }
    /// What it has to do itself: nothing, for an observer of the user's.
    var workToDo: Work { .none }
    override var kindName: String { "observer" }
    override var stateDescription: String { "\(activities)" }
  }
}

extension RunLoop.Activity: CustomStringConvertible {
  /// The activities' names with spaces between.
  public var description: String {
    let names: [(RunLoop.Activity, String)] = [
      (.entry, "entry"), (.beforeTimers, "beforeTimers"), (.beforeSources, "beforeSources"),
      (.beforeWaiting, "beforeWaiting"), (.afterWaiting, "afterWaiting"), (.exit, "exit"),
    ]
    return names.filter { contains($0.0) }.map { $0.1 }.joined(separator: " ")
  }
}
