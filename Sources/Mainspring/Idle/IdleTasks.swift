/// The tasks of an idle queue: lines by priority, the keys, and those that are under way. A value, kept behind a lock.
///
/// What is taken out is handed to the caller, who lets go of it once the lock is free: what a task holds ends with it, and
/// that is the user's code.
struct IdleTasks: Sendable {
  typealias Queue = RunLoop.IdleQueue

  /// Where a task stands.
  struct Place: Sendable {
    let index: Int
    let number: UInt64
  }

  private struct Line {
    var first = -1
    var last = -1
  }

  private var slots: ContiguousArray<IdleTask?> = []
  private var freeSlots: [Int] = []
  private var lines = [Line](repeating: Line(), count: Queue.Priority.allCases.count * 2)
  private var places: [Queue.Key: Int] = [:]
  private var lastNumber: UInt64 = 0
  private(set) var waitingCount = 0
  private var asynchronousWaiting = 0
  private(set) var asynchronousUnderWay = 0
  /// What is over and is to be told, in this order.
  private var ended: [EndedIdleTask] = []

  // MARK: asking

  var hasEndings: Bool { !ended.isEmpty }
  var isEmpty: Bool { waitingCount == 0 && asynchronousUnderWay == 0 && ended.isEmpty }

  /// Whether one could be begun now.
  func hasStartable(asynchronousAtOnce limit: Int) -> Bool {
    waitingCount > asynchronousWaiting || (asynchronousWaiting > 0 && asynchronousUnderWay < limit)
  }

  func contains(_ place: Place) -> Bool { task(at: place) != nil }
  func contains(_ key: Queue.Key) -> Bool { places[key] != nil }

  private func task(at place: Place) -> IdleTask? {
    guard place.index < slots.count, let task = slots[place.index], task.number == place.number else {
      return nil
    }
    return task
  }

  // MARK: adding

  /// Puts a task in; nil if it was refused. What had to go for it is in `removed`.
  mutating func add(
    _ new: IdleTask, capacity: Int, whenFull: Queue.Overflow, removed: inout Removal
  ) -> Place? {
    var new = new
    if let key = new.key, let index = places[key], let old = slots[index] {
      if case .waiting = old.state, old.line == new.line { return replace(index, by: new, removed: &removed) }
      cancel(Place(index: index, number: old.number), removed: &removed)
    }
    if waitingCount >= capacity, !makeRoom(for: new.priority, whenFull, removed: &removed) { return nil }
    lastNumber += 1
    (new.number, new.order) = (lastNumber, lastNumber)
    let index = freeSlots.popLast() ?? slots.count
    if index == slots.count { slots.append(new) } else { slots[index] = new }
    if let key = new.key { places[key] = index }
    link(index, atFront: false)
    return Place(index: index, number: new.number)
  }

  /// The new one has the old one's place in the line.
  private mutating func replace(_ index: Int, by new: IdleTask, removed: inout Removal) -> Place {
    guard let old = slots[index] else { preconditionFailure("an empty slot has no key") }
    lastNumber += 1
    var new = new
    (new.number, new.order) = (lastNumber, old.order)
    (new.previous, new.next) = (old.previous, old.next)
    slots[index] = new
    note(old, .cancelled, &removed)
    return Place(index: index, number: new.number)
  }

  /// Drops one for a task of this priority to come in; says whether there is room then.
  private mutating func makeRoom(
    for priority: Queue.Priority, _ whenFull: Queue.Overflow, removed: inout Removal
  ) -> Bool {
    guard whenFull != .refuse else { return false }
    for lowest in Queue.Priority.allCases where lowest <= priority {
      let ends = [false, true].map { isAsynchronous in
        let line = lines[IdleTask.line(lowest, isAsynchronous: isAsynchronous)]
        return whenFull == .dropOldest ? line.first : line.last
      }.filter { $0 >= 0 }.sorted { (slots[$0]?.order ?? 0) < (slots[$1]?.order ?? 0) }
      guard let index = whenFull == .dropOldest ? ends.first : ends.last else { continue }
      unlink(index)
      note(free(index), .dropped, &removed)
      return true
    }
    return false
  }

  // MARK: turns

  /// Takes the next one that can be begun, for it to be under way.
  mutating func begin(asynchronousAtOnce limit: Int) -> (task: IdleTask, place: Place)? {
    for priority in Queue.Priority.allCases.reversed() {
      let plain = lines[IdleTask.line(priority, isAsynchronous: false)].first
      var other = lines[IdleTask.line(priority, isAsynchronous: true)].first
      if asynchronousUnderWay >= limit { other = -1 }
      guard plain >= 0 || other >= 0 else { continue }
      let isOther = plain < 0 || (other >= 0 && (slots[other]?.order ?? 0) < (slots[plain]?.order ?? 0))
      let index = isOther ? other : plain
      unlink(index)
      if isOther { asynchronousUnderWay += 1 }
      slots[index]?.state = .underWay(nil)
      guard let task = slots[index] else { return nil }
      return (task, Place(index: index, number: task.number))
    }
    return nil
  }

  /// An asynchronous one runs as this task. Says whether it was cancelled before that could be noted.
  mutating func note(_ running: Task<Void, Never>, at place: Place) -> Bool {
    guard let task = task(at: place) else { return false }
    if case .cancelled = task.state { return true }
    slots[place.index]?.state = .underWay(running)
    return false
  }

  /// One that is under way has more to do: it is the first of its line, unless it was cancelled meanwhile.
  mutating func putBack(_ place: Place, removed: inout Removal) {
    guard let task = task(at: place) else { return }
    if case .cancelled = task.state { return end(place, .cancelled, removed: &removed) }
    slots[place.index]?.state = .waiting
    link(place.index, atFront: true)
  }

  /// One that was under way is over.
  mutating func end(_ place: Place, _ ending: Queue.Ending, removed: inout Removal) {
    guard let task = task(at: place) else { return }
    if task.body.isAsynchronous { asynchronousUnderWay -= 1 }
    var ending = ending
    if case .failed(let error) = ending, error is CancellationError { ending = .cancelled }
    note(free(place.index), ending, &removed)
  }

  mutating func takeEndings() -> [EndedIdleTask] {
    defer { ended = [] }
    return ended
  }

  // MARK: cancelling

  /// Takes one out, or marks it where it is under way. Says whether it was there and had not been cancelled before.
  @discardableResult
  mutating func cancel(_ place: Place, removed: inout Removal) -> Bool {
    guard let task = task(at: place) else { return false }
    switch task.state {
    case .cancelled: return false
    case .waiting:
      unlink(place.index)
      note(free(place.index), .cancelled, &removed)
    case .underWay(let running):
      slots[place.index]?.state = .cancelled
      if let key = task.key { places[key] = nil }
      if let running { removed.running.append(running) }
    }
    return true
  }

  mutating func cancel(_ key: Queue.Key, removed: inout Removal) -> Bool {
    guard let index = places[key], let task = slots[index] else { return false }
    return cancel(Place(index: index, number: task.number), removed: &removed)
  }

  mutating func cancelAll(removed: inout Removal) -> Bool {
    var isAny = false
    for index in slots.indices {
      guard let task = slots[index] else { continue }
      if cancel(Place(index: index, number: task.number), removed: &removed) { isAny = true }
    }
    return isAny
  }

  /// Takes out everything, untold: nobody will ask any more.
  mutating func removeAll() -> Removal {
    var removed = Removal()
    for case let task? in slots {
      if case .underWay(let running?) = task.state { removed.running.append(running) }
      removed.tasks.append(task)
    }
    removed.tasks += ended.map(\.task)
    let number = lastNumber
    self = IdleTasks()
    lastNumber = number
    return removed
  }

  /// What is to be let go of, and cancelled, once the lock is free.
  struct Removal: Sendable {
    fileprivate(set) var tasks: [IdleTask] = []
    fileprivate(set) var running: [Task<Void, Never>] = []

    func finish() { for task in running { task.cancel() } }
  }

  // MARK: lines

  private mutating func link(_ index: Int, atFront: Bool) {
    guard let task = slots[index] else { return }
    waitingCount += 1
    if task.body.isAsynchronous { asynchronousWaiting += 1 }
    let line = lines[task.line]
    slots[index]?.previous = atFront ? -1 : line.last
    slots[index]?.next = atFront ? line.first : -1
    if line.first < 0 || atFront { lines[task.line].first = index }
    if line.last < 0 || !atFront { lines[task.line].last = index }
    if atFront, line.first >= 0 { slots[line.first]?.previous = index }
    if !atFront, line.last >= 0 { slots[line.last]?.next = index }
  }

  private mutating func unlink(_ index: Int) {
    guard let task = slots[index] else { return }
    waitingCount -= 1
    if task.body.isAsynchronous { asynchronousWaiting -= 1 }
    if task.previous >= 0 {
      slots[task.previous]?.next = task.next
    } else {
      lines[task.line].first = task.next
    }
    if task.next >= 0 {
      slots[task.next]?.previous = task.previous
    } else {
      lines[task.line].last = task.previous
    }
  }

  private mutating func free(_ index: Int) -> IdleTask {
    guard let task = slots[index] else { preconditionFailure("a slot is freed twice") }
    slots[index] = nil
    freeSlots.append(index)
    if let key = task.key, places[key] == index { places[key] = nil }
    return task
  }

  /// What somebody wants to hear of is told later; the rest is only to be let go of.
  private mutating func note(_ task: IdleTask, _ ending: Queue.Ending, _ removed: inout Removal) {
    if case .failed = ending {
      ended.append(EndedIdleTask(task: task, ending: ending))
    } else if task.onEnd != nil {
      ended.append(EndedIdleTask(task: task, ending: ending))
    } else {
      removed.tasks.append(task)
    }
  }
}
