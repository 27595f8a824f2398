import LinuxKernel
import Synchronization

/// What a kept-alive thread runs by, and what is left of it when nobody refers to it any more.
final class ThreadCore: Sendable {
  let loop = RunLoop(poller: KernelPoller(), isMain: false, onThread: 0)
  /// The identity of the thread, 0 before it runs.
  private let identity = Atomic<UInt>(0)
  private let isStopping = Atomic<Bool>(false)
  /// Not zero once the loop has ended.
  private let ended = FutexWord(0)

  /// What the thread does: nothing but run its loop.
  func run(_ prepare: (RunLoop) -> Void) {
    identity.store(ThreadIdentity.current, ordering: .relaxed)
    ThreadLoops.ofThisThread.adopt(loop)
    prepare(loop)
    // Whatever else stops the loop stops one run of it, and the thread goes on.
    while !isStopping.load(ordering: .sequentiallyConsistent), !loop.isInherited {
      loop.runThroughStops(whenEmpty: .wait)
    }
    // A callout forked, and this is the child: the parent goes on.
    if loop.isInherited { return }
    loop.finishSent()
    if loop.isInherited { return }
    loop.end()
    _ = ended.exchange(1)
    ended.wake(all: true)
  }

  /// Whether this is the thread.
  var isCurrent: Bool { identity.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Refuses blocks from here on and ends the runs that are on. Any thread.
  func requestStop() {
    guard !isStopping.exchange(true, ordering: .sequentiallyConsistent) else { return }
    loop.refuseBlocks()
    loop.stop(.all)
  }

  /// Waits until the loop has ended; says whether it came in time. The deadline is the kernel's monotonic time, ns.
  func waitForEnd(until deadline: UInt64?) -> Bool {
    while ended.load() == 0 {
      if ended.wait(while: 0, until: deadline) == .timedOut { return ended.load() != 0 }
    }
    return true
  }
}
