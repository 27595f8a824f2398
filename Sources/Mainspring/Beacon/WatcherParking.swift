import LinuxKernel

/// Where the process's watcher thread sleeps while every watched loop waits.
///
/// One word for the process: a loop that a watcher asked to be told wakes it when a wait ends, which costs
/// one exchange when nobody is parked. The protocol is the bell's: the loop shows itself busy and then looks
/// whether somebody is parked; the watcher says that it parks and then looks at the loops again.
package enum WatcherParking {
  private static let word = FutexWord(0)

  /// Sleeps until a watched loop becomes busy, `unpark` is called or the deadline (ns, monotonic) passes;
  /// not at all if `isAnyBusy` says so after the parking was announced.
  package static func park(until deadline: UInt64?, unless isAnyBusy: () -> Bool) {
    _ = word.exchange(1)
    if !isAnyBusy() { word.wait(while: 1, until: deadline) }
    _ = word.exchange(0)
  }

  /// Ends a parking. Called by loops after they showed themselves busy by a full barrier.
  @inline(__always)
  package static func unpark() {
    if word.load() != 0, word.exchange(0) != 0 { word.wake() }
  }
}
