import LinuxKernel

/// How to end a wait at a date, though the kernel ends waits up to the thread's timer slack later than asked for.
///
/// The kernel's timer has a span, from the date that was asked for to that date and the slack, and unless another
/// interrupt falls into it, it rings at the span's end. So a wait that is asked for until a slack before the date ends
/// at the date, or somewhat before; whoever waits looks at the clock and waits again. Where the date is nearer than
/// that, the slack is put away for the one wait. The thread's own slack, which its other sleeps have and threads that it
/// makes inherit, is as it was whenever anybody else runs on it.
///
/// Only on the loop's thread.
struct ExactWait {
  /// The thread's slack as it was asked for last, ns.
  private var slack: UInt64 = 0
  /// How many waits take it for what it is before it is asked for again: a program may set it at any time, and hardly ever
  /// does.
  private var waitsToAsking = 0

  /// Calls `wait` with what to ask the kernel for.
  ///
  /// - Parameters:
  ///   - date: when the wait is to end, ns, monotonic.
  ///   - now: the present.
  @inline(__always)
  mutating func until(_ date: UInt64, now: UInt64, _ wait: (_ asked: UInt64) -> Void) {
    if waitsToAsking == 0 { ask() }
    waitsToAsking &-= 1
    let distance = date > now ? date &- now : 0
    if distance > slack, distance &- slack > Self.timeToAsk {
      wait(date &- slack)
    } else if slack <= Self.smallSlack || distance == 0 {
      wait(date)
    } else if let present = TimerSlack.withSmallest({ wait(date) }) {
      self.slack = present
    }
  }

  @inline(never)
  private mutating func ask() {
    slack = TimerSlack.ofThisThread ?? TimerSlack.usual
    waitsToAsking = Self.waitsPerAsking
  }

  /// So that a wait has hardly more than one system call.
  private static let waitsPerAsking = 32
  /// What passes until the kernel has the asked date, ns, amply.
  private static let timeToAsk: UInt64 = 5000
  /// A slack that does not matter, as real-time threads have it, ns.
  private static let smallSlack: UInt64 = 1000
}
