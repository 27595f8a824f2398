internal import LinuxKernel

/// What looks at threads, on the watcher's thread.
final class Samplers {
  let stacks: StackSampler
  let process: ProcessSampler
  let waits: WaitReader

  /// - Parameter leftOut: the monitor's other threads.
  init(leavingOut leftOut: Set<Int32>) throws(CaptureError) {
    stacks = try StackSampler()
    process = ProcessSampler(stacks, leavingOut: leftOut)
    waits = WaitReader(memory: stacks.memory)
  }

  private var awaited = WatcherTimes.Awaited()

  /// Runs `body`, which waits for threads to answer, and takes down how long that took: `limit`, ns, at most. What is
  /// more, the monitor was stopped.
  func awaiting<Value>(atMost limit: UInt64, _ body: () -> Value) -> Value {
    let (begun, sleeps) = (MonotonicClock.now(), ThreadSwitches.voluntary)
    defer {
      awaited.time += min(limit, MonotonicClock.now() - begun)
      awaited.sleeps += ThreadSwitches.voluntary - sleeps
    }
    return body()
  }

  /// What was waited for since it was asked last.
  func takeAwaited() -> WatcherTimes.Awaited {
    defer { awaited = WatcherTimes.Awaited() }
    return awaited
  }
}
