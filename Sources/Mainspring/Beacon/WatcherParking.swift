import LinuxKernel

/// Where watchers' threads sleep while every loop that they watch waits.
///
/// The protocol is the bell's, over words of the process: a loop that a watcher asked to be told shows itself busy and
/// then looks whether anybody is parked; a watcher says that it parks and then looks at its loops again. Nobody takes a
/// lock. With several watchers one may be woken for another's loop; it looks and parks again.
package enum WatcherParking {
  /// Not zero once somebody has parked; whoever takes it back wakes them all.
  private static let somebodyIsParked = FutexWord(0)
  /// What the parked sleep on: grows with each waking.
  private static let wakings = FutexWord(0)

  /// Sleeps until a watched loop becomes busy, `wakeAll` is called or the deadline (ns, monotonic) passes;
  /// not at all if `isAwaited` says so after the parking was announced.
  package static func park(until deadline: UInt64?, unless isAwaited: () -> Bool) {
    let seen = wakings.load()
    _ = somebodyIsParked.exchange(1)
    guard !isAwaited() else { return }
    wakings.wait(while: seen, until: deadline)
  }

  /// Wakes whoever is parked, because a loop is busy. Called by loops after they showed themselves busy by a full
  /// barrier.
  @inline(__always)
  package static func loopIsBusy() {
    if somebodyIsParked.load() != 0 { wakeAll() }
  }

  /// Wakes whoever is parked.
  package static func wakeAll() {
    guard somebodyIsParked.exchange(0) != 0 else { return }
    var seen = wakings.load()
    while !wakings.compareExchange(seen, seen &+ 1) { seen = wakings.load() }
    wakings.wake(all: true)
  }
}
