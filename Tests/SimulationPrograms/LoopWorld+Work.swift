import Mainspring

extension LoopWorld {
  package func mark(_ item: Int, _ mark: Int) -> Bool {
    (self.item(item) as RunLoop.Batch<Int>?)?.mark(mark) ?? false
  }

  package func unmark(_ item: Int, _ mark: Int) -> Bool {
    (self.item(item) as RunLoop.Batch<Int>?)?.unmark(mark) ?? false
  }

  package func flush(_ item: Int) { (self.item(item) as RunLoop.Batch<Int>?)?.flush() }

  package func addTask(_ task: Act.Task, number: Int, for player: Player, to item: Int) -> Bool {
    guard let queue: RunLoop.IdleQueue = self.item(item) else { return false }
    let end = farewell(by: player, block: task.block + 1)
    let handle = queue.add(
      key: task.key.map { RunLoop.IdleQueue.Key($0) },
      priority: RunLoop.IdleQueue.Priority(rawValue: task.priority)!,
      onEnd: { player.note(.called(item, .ending(number, Event.Ending($0)))) },
      { withExtendedLifetime(end) { player.ran(block: task.block, as: number, of: item) } })
    return handle != nil
  }

  package func cancelTask(ofKey key: Int, in item: Int) -> Bool {
    (self.item(item) as RunLoop.IdleQueue?)?.cancel(key: RunLoop.IdleQueue.Key(key)) ?? false
  }
}

extension Event.Ending {
  fileprivate init(_ ending: RunLoop.IdleQueue.Ending) {
    switch ending {
    case .finished, .failed: self = .finished
    case .cancelled: self = .cancelled
    case .dropped: self = .dropped
    }
  }
}
