import Glibc
import Synchronization

/// A thread that can be waited for until it is gone; who does not is no trouble to it.
package final class JoinableThread: Sendable {
  private let handle: pthread_t
  private let generation = Fork.generation
  /// Who joins, joins alone; the others wait for the word to say that it has.
  private let isClaimed = Atomic<Bool>(false)
  private let gone = FutexWord(0)

  /// - Parameters:
  ///   - name: what tools show; cut to 15 bytes by the kernel.
  ///   - stackBytes: nil for as many as the system gives.
  package init(
    named name: String, stackBytes: Int?, signals: NativeThread.Signals, body: @escaping @Sendable () -> Void
  ) throws(KernelError) {
    handle = try NativeThread.make(named: name, stackBytes: stackBytes, signals: signals, body: body)
  }

  deinit {
    // In a forked child there is no such thread.
    guard generation == Fork.generation else { return }
    if !isClaimed.load(ordering: .acquiring) { pthread_detach(handle) }
  }

  /// Whether a join has returned.
  package var isGone: Bool { gone.load() != 0 }

  /// Returns when the kernel has the thread no more. Any thread but itself, any number of them.
  package func join() {
    if isClaimed.exchange(true, ordering: .acquiringAndReleasing) {
      while gone.load() == 0 { gone.wait(while: 0, until: nil) }
      return
    }
    let result = pthread_join(handle, nil)
    require(result == 0, "a thread cannot be joined: \(KernelError(result))")
    _ = gone.exchange(1)
    gone.wake(all: true)
  }
}
