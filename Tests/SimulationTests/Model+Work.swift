import SimulationPrograms

// What batches and idle queues have to do (M52, M53).

extension Model {
  /// Something was given to it, or taken away. One notice on its way is enough.
  private func workChanged(of item: Item) {
    guard item.belongsToLoop else { return }
    guard isElsewhere else { return refreshWork(of: item) }
    guard !item.isNoticed else { return }
    item.isNoticed = true
    send(concerning: Set(item.modes.keys)) { [self] in
      item.isNoticed = false
      refreshWork(of: item)
    }
  }

  func refreshWork(of item: Item) {
    if !item.isInCallout { item.hasWork = item.isValid && item.isToWork }
  }

  private func doWork(of item: Item, _ body: () -> Void) {
    item.hasWork = false
    body()
    item.hasWork = item.isValid && item.isToWork
  }

  // MARK: batches

  func mark(_ number: Int, _ mark: Int) -> Bool {
    let batch = items[number]
    guard batch.isValid else { return false }
    if !batch.marks.contains(where: { $0.mark == mark }) {
      batch.marks.append((mark, nextNumber()))
      workChanged(of: batch)
    }
    return true
  }

  func unmark(_ number: Int, _ mark: Int) -> Bool {
    let batch = items[number]
    guard batch.isValid, let index = batch.marks.firstIndex(where: { $0.mark == mark }) else { return false }
    batch.marks.remove(at: index)
    workChanged(of: batch)
    return true
  }

  func flush(_ number: Int) {
    let batch = items[number]
    guard batch.belongsToLoop, batch.isValid else { return }
    batch.isInCallout = true
    doMarked(batch)
    batch.isInCallout = false
  }

  func doMarked(_ batch: Item) {
    doWork(of: batch) {
      for _ in 0..<16 {
        let last = latestNumber
        while batch.isValid, let next = batch.marks.first, next.number <= last {
          batch.marks.removeFirst()
          batch.call(.mark(next.mark))
        }
      }
    }
  }

  // MARK: idle work

  func addTask(_ task: Act.Task, number: Int, for player: Player, to item: Int) -> Bool {
    let queue = items[item]
    guard queue.isValid else { return false }
    let new = ModelTask(task, number: number) { player.ran(block: task.block, as: number, of: item) }
    let wasAdded = put(new, into: queue)
    if wasAdded { workChanged(of: queue) }
    return wasAdded
  }

  private func put(_ new: ModelTask, into queue: Item) -> Bool {
    if let key = new.key, let index = queue.tasks.firstIndex(where: { $0.key == key }) {
      let old = queue.tasks[index]
      queue.endings.append((old.number, .cancelled))
      if old.priority == new.priority {
        queue.tasks[index] = new
        return true
      }
      queue.tasks.remove(at: index)
    }
    if new.key != nil, queue.taskUnderWay?.key == new.key { queue.taskUnderWay?.key = nil }
    if queue.tasks.count >= queue.capacity {
      guard let index = queue.place(toDropFor: new.priority) else { return false }
      queue.endings.append((queue.tasks.remove(at: index).number, .dropped))
    }
    // By priority, and those of one as they came.
    let index = queue.tasks.firstIndex { $0.priority < new.priority } ?? queue.tasks.endIndex
    queue.tasks.insert(new, at: index)
    return true
  }

  func cancelTask(ofKey key: Int, in item: Int) -> Bool {
    let queue = items[item]
    guard queue.isValid else { return false }
    if queue.taskUnderWay?.key == key {
      // It goes on, unknown.
      queue.taskUnderWay?.key = nil
    } else if let index = queue.tasks.firstIndex(where: { $0.key == key }) {
      queue.endings.append((queue.tasks.remove(at: index).number, .cancelled))
    } else {
      return false
    }
    workChanged(of: queue)
    return true
  }

  func takeTurn(_ queue: Item) {
    let run = runs.last!
    let (time, most) = run.mode == .tracking ? (2, 16) : (4, 64)
    doWork(of: queue) {
      tellEndings(of: queue)
      let end = min(now + time, nextDate(in: run.mode) ?? .max, run.deadline ?? .max)
      var count = 0
      while count < most, count == 0 || now < end, queue.isValid, !queue.tasks.isEmpty,
        count == 0 || !(isWakeRequested || run.isStopped || isStoppingAll)
      {
        count += 1
        let task = queue.tasks.removeFirst()
        queue.taskUnderWay = task
        task.body()
        queue.taskUnderWay = nil
        guard queue.isValid else { return }
        queue.endings.append((task.number, .finished))
        tellEndings(of: queue)
      }
    }
  }

  private func tellEndings(of queue: Item) {
    let endings = queue.endings
    queue.endings = []
    for ending in endings { queue.tell(.ending(ending.task, ending.1)) }
  }
}

struct ModelTask {
  let number: Int
  var key: Int?
  let priority: Int
  let body: () -> Void

  init(_ task: Act.Task, number: Int, body: @escaping () -> Void) {
    self.number = number
    key = task.key
    priority = task.priority
    self.body = body
  }
}

extension Item {
  fileprivate var isToWork: Bool { !marks.isEmpty || !tasks.isEmpty || !endings.isEmpty }

  /// Which of those that wait has to go for one of this priority: of the lowest, the first or the last.
  fileprivate func place(toDropFor priority: Int) -> Int? {
    guard case .idleQueue(_, let overflow, _) = kind, overflow != .refuse else { return nil }
    guard let lowest = tasks.last?.priority, lowest <= priority else { return nil }
    return overflow == .dropOldest ? tasks.firstIndex { $0.priority == lowest } : tasks.count - 1
  }
}
