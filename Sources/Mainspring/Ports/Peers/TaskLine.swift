import LinuxKernel

/// Tasks that wait until something is different. Any thread.
///
/// A task asks for a ticket, looks whether what it wants is there, and waits with the ticket if not: what happens in
/// between is not missed.
final class TaskLine: Sendable {
  private let state = Locked(State())

  private struct State {
    var ringCount: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastID: UInt64 = 0
    /// Cancelled before they waited.
    var cancelled: Set<UInt64> = []
  }

  var ticket: UInt64 { state.withLock { $0.ringCount } }

  /// Wakes all that wait.
  func ring() {
    let woken = state.withLock { state in
      state.ringCount &+= 1
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for task in woken { task.resume() }
  }

  /// Waits for a ring after the ticket was given, or until the task is cancelled.
  func wait(after ticket: UInt64) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { task in
        let mayWait = state.withLock { state in
          guard state.ringCount == ticket, !state.cancelled.contains(id) else { return false }
          state.waiting[id] = task
          return true
        }
        if !mayWait { task.resume() }
      }
    } onCancel: {
      cancel(id)
    }
    _ = state.withLock { $0.cancelled.remove(id) }
  }

  private func cancel(_ id: UInt64) {
    let task: CheckedContinuation<Void, Never>? = state.withLock { state in
      if let task = state.waiting.removeValue(forKey: id) { return task }
      state.cancelled.insert(id)
      return nil
    }
    task?.resume()
  }
}
