import Dispatch
import Grid
import Injecting
import StallMonitor
import StallMonitorDispatch

/// A serial queue that is used through the monitor's adapter.
final class QueueStage: Stage {
  let name = LoopName.queue
  private let queue: WatchedQueue

  init(_ monitor: StallMonitor) {
    queue = monitor.watch(DispatchQueue(label: "truth.queue"), as: "\(LoopName.queue)")
  }

  func trigger(_ injection: Injection) { queue.async { injection.perform() } }
}

/// A serial queue that others use directly: the monitor's pings alone see what is on it.
final class PingedStage: Stage {
  let name = LoopName.pinged
  private let queue: WatchedQueue

  init(_ monitor: StallMonitor) {
    queue = monitor.watch(DispatchQueue(label: "truth.pinged"), as: "\(LoopName.pinged)")
  }

  func trigger(_ injection: Injection) {
    // In use: what is promised of pings half a threshold apart is promised of a queue that seems to be.
    queue.sync {}
    queue.queue.async { injection.perform() }
  }
}

/// An actor whose executor the monitor watches.
final class ActorStage: Stage {
  let name = LoopName.actor
  private let actor: Performer

  init(_ monitor: StallMonitor) {
    let queue = DispatchQueue(label: "truth.actor")
    actor = Performer(monitor.makeExecutor(on: queue, as: "\(LoopName.actor)"))
  }

  func trigger(_ injection: Injection) {
    Task { [actor] in await actor.perform(injection) }
  }
}

private actor Performer {
  private nonisolated let executor: WatchedExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: WatchedExecutor) { self.executor = executor }

  func perform(_ injection: Injection) { injection.perform() }
}
