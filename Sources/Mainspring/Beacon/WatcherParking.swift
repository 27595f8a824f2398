import LinuxKernel

/// Where the process's watcher thread sleeps while every watched loop waits.
///
/// One word for the process: a loop that a watcher asked to be told wakes it when a wait ends, which costs
/// one load when nobody is parked. The protocol is the bell's: the loop shows itself busy and then looks whether
/// somebody is parked; the watcher says that it parks and then looks at the loops again.
package enum WatcherParking {
  private enum State {
    static let away: UInt32 = 0
    /// Woken by loops and by `unpark`.
    static let parked: UInt32 = 1
    /// Woken by `unpark` alone.
    static let pausing: UInt32 = 2
  }

  private static let word = FutexWord(State.away)

  /// Sleeps until a watched loop becomes busy, `unpark` is called or the deadline (ns, monotonic) passes;
  /// not at all if `isAwaited` says so after the parking was announced.
  package static func park(until deadline: UInt64?, unless isAwaited: () -> Bool) {
    sleep(as: State.parked, until: deadline, unless: isAwaited)
  }

  /// Sleeps until the deadline or until `unpark` is called, whatever the loops do.
  package static func pause(until deadline: UInt64, unless isAwaited: () -> Bool) {
    sleep(as: State.pausing, until: deadline, unless: isAwaited)
  }

  private static func sleep(as state: UInt32, until deadline: UInt64?, unless isAwaited: () -> Bool) {
    _ = word.exchange(state)
    while !isAwaited(), word.load() == state {
      if word.wait(while: state, until: deadline) == .timedOut { break }
    }
    _ = word.exchange(State.away)
  }

  /// Ends a parking, because a loop is busy. Called by loops after they showed themselves busy by a full barrier.
  @inline(__always)
  package static func loopIsBusy() {
    if word.load() == State.parked, word.compareExchange(State.parked, State.away) { word.wake(all: true) }
  }

  /// Ends a parking or a pause.
  package static func unpark() {
    if word.exchange(State.away) != State.away { word.wake(all: true) }
  }
}
