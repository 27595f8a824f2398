/// What looks at threads, on the watcher's thread.
struct Samplers {
  let stacks: StackSampler
  let process: ProcessSampler
  let waits: WaitReader

  /// - Parameter leftOut: the monitor's other threads.
  init(leavingOut leftOut: Set<Int32>) throws(CaptureError) {
    stacks = try StackSampler()
    process = ProcessSampler(stacks, leavingOut: leftOut)
    waits = WaitReader(memory: stacks.memory)
  }
}
