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

  private var awaited: UInt64 = 0

  /// Runs `body`, which waits for threads to answer, and takes down how long that took: `limit`, ns, at most. What is
  /// more, the monitor was stopped.
  func awaiting<Value>(atMost limit: UInt64, _ body: () -> Value) -> Value {
    let begun = MonotonicClock.now()
    defer { awaited += min(limit, MonotonicClock.now() - begun) }
    return body()
  }

  /// How long threads were waited for since it was asked last, ns.
  func takeAwaitedTime() -> UInt64 {
    defer { awaited = 0 }
    return awaited
  }
}
