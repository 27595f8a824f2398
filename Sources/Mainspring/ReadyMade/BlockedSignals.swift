import LinuxKernel

/// The signals that the sources of a loop keep blocked on its thread, so that the last one gives back what was.
///
/// Only on the loop's thread.
struct BlockedSignals {
  /// How many sources need each signal.
  private var counts: [CInt: Int] = [:]
  /// Which of them the thread let through before the first one.
  private var letThroughBefore = SignalSet()

  mutating func block(_ signals: SignalSet) {
    let new = SignalSet(signals.numbers.filter { counts[$0] == nil })
    for signal in signals.numbers { counts[signal, default: 0] += 1 }
    for signal in SignalMask.block(new).numbers { letThroughBefore.insert(signal) }
    SignalMask.letThroughInChild(letThroughBefore)
  }

  /// What waits comes the way that it took before: by its default action, say.
  mutating func giveBack(_ signals: SignalSet) {
    var unneeded = SignalSet()
    for signal in signals.numbers {
      let left = counts[signal, default: 1] - 1
      counts[signal] = left > 0 ? left : nil
      if left == 0 { unneeded.insert(signal) }
    }
    let freed = unneeded.intersection(letThroughBefore)
    letThroughBefore = letThroughBefore.subtracting(freed)
    SignalMask.letThroughInChild(letThroughBefore)
    SignalMask.unblock(freed)
  }
}
