import CLinuxKernel
import Glibc

/// How much later than asked for the kernel may end a thread's sleeps, so as to end several by one interrupt: 50 µs
/// unless somebody has set it.
package enum TimerSlack {
  /// The calling thread's, ns; nil where the kernel does not say. One system call.
  package static var ofThisThread: UInt64? {
    let answer = ms_timer_slack()
    // The largest numbers look like errors, but for those that are: an error's is above -4096.
    return (-4095..<0).contains(answer) ? nil : UInt64(bitPattern: Int64(answer))
  }

  /// What threads have of which nothing is known, ns.
  package static let usual: UInt64 = 50_000

  /// Runs `body` with the smallest slack, and puts the thread's own back, which it says: three system calls.
  ///
  /// The own is asked for each time, since the program may have set it since. Where the kernel does not say, it is left as
  /// it is: it could not be put back.
  package static func withSmallest(_ body: () -> Void) -> UInt64? {
    guard let own = ofThisThread else {
      body()
      return nil
    }
    ms_set_timer_slack(1)
    body()
    ms_set_timer_slack(UInt(own))
    return own
  }

  /// Sets the calling thread's, for tests. Nothing where the kernel refuses it.
  package static func set(_ nanoseconds: UInt64) { ms_set_timer_slack(UInt(nanoseconds)) }
}
