package import Synchronization

/// What a loop shows of itself to a watcher on another thread: plain stores by the loop, loads by others.
///
/// Layout, on cache lines that nothing else uses:
/// - `state`: progress (32 bits) · mode number (16) · nesting (8) · phase (8), in one word, so that a reader
///   sees them together. Progress grows with each pass, with the beginning and the end of each
///   wait, and with those of runs: a loop that is not waiting and whose progress stands still is stuck.
/// - `callouts`: how many callouts were begun, so that a reader knows one long callout from many short ones.
/// - `fileAddress`, `line`: where the item that is being called out was made.
/// - `since`: the tick (coarse monotonic ns) at which progress last changed or a wait ended; kept only while
///   a watcher asks, since it costs the reading of a clock. So are `calloutsBefore`, how many callouts had been begun
///   then, `awakeSince`, when the last wait ended, and the records of long stretches (`Beacon+Progress`).
/// - what the program declared as waiting that is meant (`Beacon+Pause`).
///
/// The loop never waits for a reader and never reads what one wrote, but for the count of watchers and the parking word.
package final class Beacon: Sendable {
  // Keeps the words away from whatever is allocated beside this object.
  private let leadingPad: [8 of UInt64] = .init(repeating: 0)
  package let state = Atomic<UInt64>(0)
  package let callouts = Atomic<UInt64>(0)
  package let fileAddress = Atomic<UInt>(0)
  package let line = Atomic<Int>(0)
  package let since = Atomic<UInt64>(0)
  package let calloutsBefore = Atomic<UInt64>(0)
  package let awakeSince = Atomic<UInt64>(0)
  /// Whether the loop has waited since it was made: what comes before is its launch.
  package let hasWaited = Atomic<Bool>(false)
  /// Stretches that last as long as this, ns, are put on record.
  let recordFloor = Atomic<UInt64>(.max)
  /// Outlives the loop with whoever watches it.
  package let records = StretchRecords()
  let pause = PauseWords()
  /// How long stretches took, once that is asked for.
  let lag = OnceReference<LagCounters>()
  /// Who wants to be told of each phase: `Listeners`.
  private let listenerBits = Atomic<UInt8>(0)
  private let watcherCount = Atomic<UInt32>(0)
  package let thread = Atomic<CInt>(0)
  private let trailingPad: [8 of UInt64] = .init(repeating: 0)

  /// What `state` holds.
  package struct State: Equatable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Mode and nesting while no run is on.
    static let outsideRuns: UInt64 = 0

    /// Mode and nesting, made when they change.
    static func run(mode: RunLoop.Mode?, nesting: Int) -> UInt64 {
      let modeBits = UInt64(min((mode?.number).map { $0 + 1 } ?? 0, 0xFFFF))
      return modeBits << 16 | UInt64(min(nesting, 0xFF)) << 8
    }

    @inline(__always)
    init(progress: UInt32, run: UInt64, phase: Phase) {
      rawValue = UInt64(progress) << 32 | run | UInt64(phase.rawValue)
    }

    package init(progress: UInt32, mode: RunLoop.Mode?, nesting: Int, phase: Phase) {
      self.init(progress: progress, run: Self.run(mode: mode, nesting: nesting), phase: phase)
    }

    package var progress: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
    /// The number of the mode that the innermost run is in, nil outside runs.
    package var modeNumber: UInt32? {
      let bits = UInt32(truncatingIfNeeded: rawValue >> 16 & 0xFFFF)
      return bits == 0 ? nil : bits - 1
    }
    /// How many runs are on the stack.
    package var nesting: Int { Int(rawValue >> 8 & 0xFF) }
    package var phase: Phase { Phase(rawValue: UInt8(truncatingIfNeeded: rawValue)) ?? .outside }
    /// Whether the loop can be stuck at all.
    package var isBusy: Bool { phase != .outside && phase != .waiting }
  }

  package init() {}

  /// Whether somebody watches, who is to be told of progress and its time.
  @inline(__always)
  package var isWatched: Bool { watcherCount.load(ordering: .relaxed) != 0 }

  /// Who wants to be told of each phase. One look for all of them: nearly always there is nobody.
  struct Listeners: OptionSet {
    let rawValue: UInt8
    /// The histogram of lag by phase.
    static let lag = Listeners(rawValue: 1)
    /// A trace.
    static let trace = Listeners(rawValue: 2)
    /// A test.
    static let tests = Listeners(rawValue: 4)
  }

  /// Whether somebody wants to be told of each phase.
  @inline(__always)
  var hasListeners: Bool { listenerBits.load(ordering: .relaxed) != 0 }

  var listeners: Listeners { Listeners(rawValue: listenerBits.load(ordering: .relaxed)) }

  /// Any thread.
  func add(_ listener: Listeners) { listenerBits.bitwiseOr(listener.rawValue, ordering: .relaxed) }

  /// Any thread.
  func remove(_ listener: Listeners) { listenerBits.bitwiseAnd(~listener.rawValue, ordering: .relaxed) }

  /// Asks the loop to stamp progress and to wake parked watchers. To be ended as often as begun.
  ///
  /// - Parameter floor: stretches of work as long as this, ns, are put on record for who comes too late to see them.
  package func beginWatching(recordingFrom floor: UInt64 = .max) {
    // A stamp from the time of an earlier watcher says nothing of the pass that is on.
    if !isWatched {
      since.store(0, ordering: .relaxed)
      awakeSince.store(0, ordering: .relaxed)
      recordFloor.store(.max, ordering: .relaxed)
    }
    lowerRecordFloor(to: floor)
    addWatcher()
  }

  /// Not by the atomic's own minimum: that compares unsigned words as if they were signed.
  private func lowerRecordFloor(to floor: UInt64) {
    var known = recordFloor.load(ordering: .relaxed)
    while floor < known {
      let (isDone, present) = recordFloor.compareExchange(expected: known, desired: floor, ordering: .relaxed)
      if isDone { return }
      known = present
    }
  }

  private func addWatcher() { watcherCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Takes one asking back.
  package func endWatching() { watcherCount.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

  // MARK: for the loop's thread

  @inline(__always)
  func show(_ site: CallSite) {
    fileAddress.store(site.fileAddress, ordering: .relaxed)
    line.store(site.line, ordering: .relaxed)
  }

  @inline(__always)
  func countCallout() { callouts.store(callouts.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  /// Where the item was made that is being called out.
  var site: CallSite {
    CallSite(
      fileAddress: fileAddress.load(ordering: .relaxed), line: line.load(ordering: .relaxed))
  }

  /// Shows what another shows, of a loop whose thread stands still or is this one. In a signal handler as well.
  func copy(_ other: Beacon) {
    show(other.site)
    callouts.store(other.callouts.load(ordering: .relaxed), ordering: .relaxed)
    calloutsBefore.store(other.calloutsBefore.load(ordering: .relaxed), ordering: .relaxed)
    since.store(other.since.load(ordering: .relaxed), ordering: .relaxed)
    awakeSince.store(other.awakeSince.load(ordering: .relaxed), ordering: .relaxed)
    hasWaited.store(other.hasWaited.load(ordering: .relaxed), ordering: .relaxed)
    state.store(other.state.load(ordering: .relaxed), ordering: .releasing)
  }

  /// The progress that is shown. Any thread.
  package var progress: UInt32 { State(rawValue: state.load(ordering: .acquiring)).progress }

  /// One reading by another thread. The parts may be from neighbouring moments; compare `state` before and
  /// after whatever is concluded from them.
  package func read() -> (state: State, callouts: UInt64, site: CallSite, since: UInt64) {
    let shown = State(rawValue: state.load(ordering: .acquiring))
    return (shown, callouts.load(ordering: .relaxed), site, since.load(ordering: .relaxed))
  }
}
