import LinuxKernel

extension RunLoop {
  /// The calling thread's loop, made at the first call.
  ///
  /// - Complexity: the reading of a thread-local variable.
  @available(*, noasync, message: "a task has no thread of its own; name the loop that is meant")
  public static var current: RunLoop { ThreadLoops.ofThisThread.current }

  /// The main thread's loop. Any thread.
  public static var main: MainRunLoop { MainRunLoop(base: mainLoop) }

  static let mainLoop = RunLoop(poller: KernelPoller(), isMain: true, onThread: 0)

  /// The time of the loop that belongs to this thread, or the kernel's where there is none.
  static var nowOfThisThread: Instant {
    ThreadLoops.existing?.top.map { Instant(nanoseconds: $0.poller.now()) } ?? .now
  }

  /// Now, by the loop's clock. Only on the loop's thread.
  public var now: Instant { Instant(nanoseconds: poller.now()) }
}

/// The loops of one thread: its own, and those on virtual time that tests put over it.
package final class ThreadLoops {
  private var own: RunLoop?
  private var stacked: [RunLoop] = []

  package static var ofThisThread: ThreadLoops {
    if let existing { return existing }
    let made = ThreadLoops()
    slot.put(made)
    return made
  }

  static var existing: ThreadLoops? { slot.object }

  private static let slot = unsafe ThreadSlot<ThreadLoops> { raw in
    // SAFETY: what the slot held, given to whoever handles the end of the thread.
    if let raw = unsafe raw { unsafe ThreadLoops.threadEnds(with: ThreadSlot.adopt(raw)) }
  }

  /// The thread ends: its loop ends on it, with itself still the current one.
  private static func threadEnds(with loops: ThreadLoops) {
    slot.put(loops)
    if let own = loops.own, !own.isMain { own.end() }
    loops.own = nil
    slot.take()
  }

  /// The topmost loop there is.
  var top: RunLoop? { stacked.last ?? own }

  package var current: RunLoop {
    if let top { return top }
    let loop =
      Self.isOnMainThread ? RunLoop.mainLoop : RunLoop(poller: KernelPoller(), isMain: false, onThread: 0)
    loop.bindToThisThread()
    own = loop
    return loop
  }

  static var isOnMainThread: Bool { ThreadIdentity.isMain }

  /// Makes a loop the current one of this thread until it is popped.
  package func push(_ loop: RunLoop) { stacked.append(loop) }

  package func remove(_ loop: RunLoop) {
    if let index = stacked.lastIndex(where: { $0 === loop }) { stacked.remove(at: index) }
  }
}
