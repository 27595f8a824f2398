import Synchronization

// Some observers have work of their own, which is given to them and done at beforeWaiting: the loop must not sleep over it.

extension RunLoop.Observer {
  /// What an observer has to do itself.
  enum Work {
    case none
    /// Nothing now, but something will come back to it: a run of its mode goes on.
    case underWay
    /// Something to be done before the loop sleeps.
    case waiting

    var keepsModeAlive: Bool { self != .none }
  }

  /// To be called after something was given to the observer, or taken away. Any thread.
  final func workChanged() {
    guard let loop else { return }
    if loop.isOnOwnThread { return refreshWork() }
    // One notice on its way is enough: who makes it good looks at everything that was given before.
    guard !isWorkNoticed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    loop.send(concerning: mask) { _ in
      self.isWorkNoticed.store(false, ordering: .sequentiallyConsistent)
      self.refreshWork()
    }
  }

  /// Counts the observer's work in its scopes as it is now. On the loop's thread.
  ///
  /// While the observer is at it, nothing counts: a run that is nested in it does not call it, and would neither sleep nor
  /// finish.
  final func refreshWork() { if !isInHandler { count(workToDo) } }

  /// The observer does its work now, in its callout.
  final func doWork(_ body: () -> Void) {
    count(.none)
    body()
    count(workToDo)
  }

  private final func count(_ new: Work) {
    let old = work
    guard new != old else { return }
    work = new
    guard let loop else { return }
    for mode in modes { loop.scope(of: mode).countWork(from: old, to: new) }
    loop.noteChangeForAnyHost()
  }
}
