import LinuxKernel
import Synchronization

/// Where a thread waits until an item's callouts on the loop's thread have returned.
final class Departure: Sendable {
  /// What is still to be waited for, the loop's answer included.
  private let word = FutexWord(1)
  private let wait: LoopWait

  init(_ wait: LoopWait) { self.wait = wait }

  /// One callout more is to be waited for. On the loop's thread, before its answer.
  func expectCallout() { _ = word.exchange(word.load() + 1) }

  /// The loop has answered, or a callout has returned. On the loop's thread.
  func note() {
    let left = word.load() - 1
    // From the answer on, and not a moment later, the loop's thread may wait for the waiter's.
    if left == 0 { wait.end() }
    _ = word.exchange(left)
    if left == 0 { word.wake(all: true) }
  }

  /// The waiter has gone.
  func giveUp() { wait.end() }

  /// Waits; says whether it came in time. The deadline is the kernel's monotonic time, ns.
  func wait(until deadline: UInt64?) -> Bool {
    while true {
      let left = word.load()
      if left == 0 { return true }
      if word.wait(while: left, until: deadline) == .timedOut { return word.load() == 0 }
    }
  }
}
