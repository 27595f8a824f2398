package import LinuxKernel

extension RunLoop {
  /// The calling thread's loop, made at the first call; in a test, the loop on virtual time that the thread made.
  ///
  /// In a child made by `fork` it is another than the parent's.
  ///
  /// - Complexity: the reading of a thread-local variable.
  @available(*, noasync, message: "a task has no thread of its own; name the loop that is meant")
  public static var current: RunLoop { ThreadLoops.ofThisThread.current }

  /// The main thread's loop. Any thread, also before the main thread has come by.
  ///
  /// What is sent to it waits until the main thread runs it: nobody else does.
  public static var main: MainRunLoop { MainRunLoop(base: mainLoop) }

  static var mainLoop: RunLoop { firstMainLoop.isInherited ? mainLoopOfChild : firstMainLoop }

  private static let firstMainLoop = RunLoop(
    poller: makerOfMainPoller.withLock { $0 }?() ?? KernelPoller(), isMain: true, onThread: 0)

  /// What the main loop is to wait by, in a process of tests: said before anybody asks for that loop.
  package static let makerOfMainPoller = Locked<(@Sendable () -> any Poller)?>(nil)

  /// The main loop of a process that `fork` made; what it inherited is not its own.
  private static let laterMainLoop = Locked<RunLoop?>(nil).heldAcrossForks()

  /// Makes what a child's main loop will stand in.
  static func makePlaceOfLaterMainLoop() { _ = laterMainLoop }

  private static var mainLoopOfChild: RunLoop {
    laterMainLoop.withLock { kept in
      if let present = kept, !present.isInherited { return present }
      let fresh = RunLoop(poller: KernelPoller(), isMain: true, onThread: 0)
      kept.abandon()
      kept = fresh
      return fresh
    }
  }

  /// The beacon of the loop that the calling thread made, nil if it made none.
  package static var existingBeaconOfThisThread: Beacon? { ThreadLoops.existing?.top?.beacon }

  /// The clocks of the loop that belongs to this thread, or the kernel's where there is none.
  static var pollerOfThisThread: any Poller { ThreadLoops.existing?.top?.poller ?? KernelPoller() }

  /// The topmost loop of the calling thread if tasks that begin or sleep there are to stay with it: so it is on virtual time.
  package static var keeperOfThisThread: RunLoop? {
    guard let loop = ThreadLoops.existing?.top, loop.keepsTasks else { return nil }
    return loop
  }

  /// Now, by the loop's clock, read anew at each call. Only on the loop's thread.
  public var now: Instant { Instant(nanoseconds: poller.now()) }
}

/// The loops of one thread: its own, and those on virtual time that tests put over it.
package final class ThreadLoops {
  private var own: RunLoop?
  private var stacked: [RunLoop] = []
  private var generation = Fork.generation

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
    loops.forgetInherited()
    if let own = loops.own, !own.isMain { own.end() }
    loops.own = nil
    slot.take()
  }

  /// The topmost loop there is.
  var top: RunLoop? {
    if generation != Fork.generation { forgetInherited() }
    return stacked.last ?? own
  }

  /// In a forked child: this thread's loops were the parent's, which this process must not end.
  private func forgetInherited() {
    guard generation != Fork.generation else { return }
    generation = Fork.generation
    own.abandon()
    for var loop in stacked.map(Optional.some) { loop.abandon() }
    stacked = []
  }

  package var current: RunLoop {
    if let top { return top }
    let loop =
      Self.isOnMainThread ? RunLoop.mainLoop : RunLoop(poller: KernelPoller(), isMain: false, onThread: 0)
    loop.bindToThisThread()
    own = loop
    return loop
  }

  /// Makes a loop that was made elsewhere this thread's own. Before the thread has asked for one.
  func adopt(_ loop: RunLoop) {
    precondition(own == nil, "the thread has a loop already")
    loop.bindToThisThread()
    own = loop
  }

  /// The calling thread's own loop, not one on virtual time; the main thread's is there before that thread asks for it.
  static var loopOthersMayWaitFor: RunLoop? {
    if let own = existing?.presentOwn { return own }
    return isOnMainThread ? RunLoop.mainLoop : nil
  }

  private var presentOwn: RunLoop? {
    if generation != Fork.generation { forgetInherited() }
    return own
  }

  static var isOnMainThread: Bool { ThreadIdentity.isMain }

  /// Makes a loop the current one of this thread until it is popped.
  package func push(_ loop: RunLoop) { stacked.append(loop) }

  package func remove(_ loop: RunLoop) {
    if let index = stacked.lastIndex(where: { $0 === loop }) { stacked.remove(at: index) }
  }
}

extension RunLoop? {
  /// Lets go of an inherited loop without its end: what its items hold is the parent's to release.
  fileprivate mutating func abandon() {
    // SAFETY: one reference is kept for the life of the process, so that the object is never torn down.
    if let loop = self { _ = unsafe Unmanaged.passRetained(loop) }
    self = nil
  }
}
