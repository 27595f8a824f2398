import Synchronization

/// A stretch of work that was long enough to be put on record: from one progress to the next.
package struct LongStretch: Equatable, Sendable {
  package var progress: UInt32
  /// Both by the clock of ticks, ns.
  package var start: UInt64
  package var end: UInt64
  /// How much of it was declared to be a wait, ns.
  package var paused: UInt64
  /// How many callouts were begun in it, and where the item of the last was made.
  package var callouts: UInt64
  package var site: CallSite
  package var nesting: Int
  package var modeNumber: UInt32?

  package init(
    progress: UInt32, start: UInt64, end: UInt64, paused: UInt64 = 0, callouts: UInt64 = 1,
    site: CallSite = .unknown, nesting: Int = 1, modeNumber: UInt32? = 0
  ) {
    self.progress = progress
    self.start = start
    self.end = end
    self.paused = paused
    self.callouts = callouts
    self.site = site
    self.nesting = nesting
    self.modeNumber = modeNumber
  }
}

/// The latest long stretches: a watcher that came too late to see one finds it here.
///
/// One writer, the loop's thread, and any number of readers: the count is raised after a record is written, and a record
/// counts only if it cannot have been written over while it was read.
@safe package final class StretchRecords: Sendable {
  private struct Cell: ~Copyable {
    let state = Atomic<UInt64>(0)
    let start = Atomic<UInt64>(0)
    let end = Atomic<UInt64>(0)
    let paused = Atomic<UInt64>(0)
    let callouts = Atomic<UInt64>(0)
    let fileAddress = Atomic<UInt>(0)
    let line = Atomic<Int>(0)
  }

  static let countMax: UInt64 = 8
  private let cells: [8 of Cell] = .init { _ in Cell() }
  private let count = Atomic<UInt64>(0)
  /// Raised before a cell is written over.
  private let begun = Atomic<UInt64>(0)

  /// How many were ever put on record. Any thread.
  package var total: UInt64 { count.load(ordering: .acquiring) }

  /// On the loop's thread.
  func append(_ state: Beacon.State, _ stretch: LongStretch) {
    let number = count.load(ordering: .relaxed)
    let index = Int(number % Self.countMax)
    begun.store(number + 1, ordering: .sequentiallyConsistent)
    cells[index].state.store(state.rawValue, ordering: .relaxed)
    cells[index].start.store(stretch.start, ordering: .relaxed)
    cells[index].end.store(stretch.end, ordering: .relaxed)
    cells[index].paused.store(stretch.paused, ordering: .relaxed)
    cells[index].callouts.store(stretch.callouts, ordering: .relaxed)
    cells[index].fileAddress.store(stretch.site.fileAddress, ordering: .relaxed)
    cells[index].line.store(stretch.site.line, ordering: .relaxed)
    count.store(number + 1, ordering: .releasing)
  }

  /// What was recorded after the first `seen` records, oldest first, as far as it is still there. Any thread.
  package func read(after seen: UInt64) -> [(number: UInt64, stretch: LongStretch)] {
    let total = count.load(ordering: .acquiring)
    guard total > seen else { return [] }
    let first = max(seen, total > Self.countMax ? total - Self.countMax : 0)
    let stretches = (first..<total).map { (number: $0, stretch: copy(Int($0 % Self.countMax))) }
    let overwritten = begun.load(ordering: .sequentiallyConsistent)
    return stretches.filter { $0.number + Self.countMax >= overwritten }
  }

  private func copy(_ index: Int) -> LongStretch {
    let state = Beacon.State(rawValue: cells[index].state.load(ordering: .relaxed))
    let site = CallSite(
      fileAddress: cells[index].fileAddress.load(ordering: .relaxed),
      line: cells[index].line.load(ordering: .relaxed))
    return LongStretch(
      progress: state.progress, start: cells[index].start.load(ordering: .relaxed),
      end: cells[index].end.load(ordering: .acquiring),
      paused: cells[index].paused.load(ordering: .acquiring),
      callouts: cells[index].callouts.load(ordering: .acquiring), site: site, nesting: state.nesting,
      modeNumber: state.modeNumber)
  }
}

extension Beacon {
  /// Notes when the loop got somewhere, before it shows that it did; puts the stretch that ends on record if it was long.
  /// On the loop's thread, while a watcher asks.
  @inline(__always)
  package func stampProgress(_ now: UInt64) {
    let began = since.load(ordering: .relaxed)
    if lag.isSet { noteLag(began, now) }
    // A stretch that was never stamped, since it began before anybody watched, is as long as nobody knows.
    if began != 0, now &- began >= recordFloor.load(ordering: .relaxed), now > began { record(began, now) }
    since.store(now, ordering: .relaxed)
    calloutsBefore.store(callouts.load(ordering: .relaxed), ordering: .relaxed)
  }

  /// A stretch of work is over.
  @inline(never)
  private func noteLag(_ began: UInt64, _ now: UInt64) {
    guard began != 0, shown.isBusy, let counters = unsafe lag.borrowed else { return }
    // SAFETY: the counters live as long as this beacon.
    unsafe counters._withUnsafeGuaranteedRef { $0.note(now &- min(began, now)) }
  }

  @inline(never)
  private func record(_ began: UInt64, _ now: UInt64) {
    let shown = State(rawValue: state.load(ordering: .relaxed))
    guard shown.isBusy else { return }
    let stretch = LongStretch(
      progress: shown.progress, start: began, end: now,
      paused: pause.time(inStretch: shown.progress, from: began, to: now, nesting: shown.nesting),
      callouts: callouts.load(ordering: .relaxed) &- calloutsBefore.load(ordering: .relaxed), site: site,
      nesting: shown.nesting, modeNumber: shown.modeNumber)
    records.append(shown, stretch)
  }

  /// How many stretches were ever put on record. Any thread.
  package var recordCount: UInt64 { records.total }

  /// The long stretches after the first `seen` ones, oldest first, each with its number; some may be lost where there
  /// were many. Any thread.
  package func longStretches(after seen: UInt64) -> [(number: UInt64, stretch: LongStretch)] {
    records.read(after: seen)
  }
}
