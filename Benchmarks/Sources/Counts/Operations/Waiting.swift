import Glibc
import Mainspring

/// Waits without a call to the kernel, which would be counted.
func spin(until condition: () -> Bool) {
  // Some ten seconds: what never comes true ends here.
  for _ in 0..<10_000_000_000 where condition() { return }
  preconditionFailure("what was waited for did not come")
}

/// Lets the calling thread sleep for a moment, in which other threads come to rest. These calls are not counted.
func rest() { usleep(100) }

/// Waits until a loop sleeps in the kernel: `isWaiting` says so a moment before.
func awaitSleep(of loop: RunLoop) {
  spin { loop.isWaiting }
  rest()
}
