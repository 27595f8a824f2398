import CLinuxKernel
import Glibc

/// How much later than asked for the kernel may end a thread's sleeps, so as to end several by one interrupt: 50 µs
/// unless somebody has set it.
package enum TimerSlack {
  /// The calling thread's, ns. One system call.
  package static var ofThisThread: UInt64 {
    let answer = ms_timer_slack()
    // A kernel that does not say has the usual one.
    return answer < 0 ? 50_000 : UInt64(answer)
  }

  /// Runs `body` with the smallest slack, and puts the thread's own back: two system calls.
  package static func withSmallest(puttingBack slack: UInt64, _ body: () -> Void) {
    ms_set_timer_slack(1)
    body()
    ms_set_timer_slack(UInt(slack))
  }
}
