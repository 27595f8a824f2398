/// The timers with a tolerance, those of one tolerance in a store of their own.
///
/// Among timers of one tolerance the order of dates is that of latest dates as well, so that one store has both: from
/// the date on a timer may fire, and a tolerance after the first date the loop has to be awake. A program has few
/// different tolerances; what comes when there are many already goes by the next smaller one.
///
/// Only on the loop's thread.
@safe struct TolerantStores: ~Copyable {
  // SAFETY: the first `count` cells are initialized, and none goes before this value does.
  private var cells: UnsafeMutablePointer<Cell>
  private var capacity = 0
  private(set) var count = 0

  struct Cell: ~Copyable {
    let tolerance: UInt64
    var store: TimerStore
  }

  /// Instead of an index: a timer that has no tolerance.
  static let none = UInt8.max

  /// So many tolerances are told apart.
  static let countMax = 32

  init() { unsafe cells = UnsafeMutablePointer(bitPattern: MemoryLayout<Cell>.alignment)! }

  deinit {
    unsafe cells.deinitialize(count: count)
    if capacity > 0 { unsafe cells.deallocate() }
  }

  @inline(__always)
  mutating func insert(_ link: TimerLink.Reference, into index: UInt8) {
    unsafe cells[Int(index)].store.insert(link)
  }

  @inline(__always)
  mutating func remove(_ link: TimerLink.Reference, from index: UInt8) {
    unsafe cells[Int(index)].store.remove(link)
  }

  /// The store for a tolerance, made if it is a new one and there are not too many; nil if the timer has to be exact.
  ///
  /// - Parameter now: the present, on the queue's clock; earlier is right, too.
  mutating func index(of tolerance: UInt64, now: UInt64) -> UInt8? {
    var smaller: Int?
    for index in 0..<count {
      let present = unsafe cells[index].tolerance
      if present == tolerance { return UInt8(index) }
      if present < tolerance, smaller.map({ unsafe cells[$0].tolerance < present }) ?? true {
        smaller = index
      }
    }
    if count == Self.countMax { return smaller.map { UInt8($0) } }
    if count == capacity { grow() }
    unsafe (cells + count).initialize(to: Cell(tolerance: tolerance, store: TimerStore(now: now)))
    count += 1
    return UInt8(count - 1)
  }

  private mutating func grow() {
    let newCapacity = max(2, capacity * 2)
    let larger = UnsafeMutablePointer<Cell>.allocate(capacity: newCapacity)
    unsafe larger.moveInitialize(from: cells, count: count)
    if capacity > 0 { unsafe cells.deallocate() }
    unsafe cells = unsafe larger
    capacity = newCapacity
  }

  /// No timer may fire before this.
  var lowerBound: UInt64 {
    var bound = UInt64.max
    for index in 0..<count { bound = min(bound, unsafe cells[index].store.lowerBound) }
    return bound
  }

  /// The first latest date, or the largest number.
  mutating func nextWake() -> UInt64 {
    var wake = UInt64.max
    for index in 0..<count {
      let (latest, overflow) = unsafe cells[index].store.nextDue().addingReportingOverflow(
        cells[index].tolerance)
      if !overflow { wake = min(wake, latest) }
    }
    return wake
  }

  mutating func advance(to now: UInt64) {
    for index in 0..<count { unsafe cells[index].store.advance(to: now) }
  }

  /// The earliest of those within reach, if its date has come.
  func firstDue(at now: UInt64) -> TimerLink.Reference? {
    var first: TimerLink.Reference?
    for index in 0..<count {
      guard let link = unsafe cells[index].store.firstDue(at: now) else { continue }
      if let present = unsafe first, unsafe TimerLink.isBefore(present, link) { continue }
      unsafe first = unsafe link
    }
    return unsafe first
  }
}
