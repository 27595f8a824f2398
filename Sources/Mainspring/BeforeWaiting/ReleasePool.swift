import LinuxKernel

extension RunLoop {
  /// Objects that are kept until the loop is about to sleep: what a callout hands out lives as long as the pass, and what
  /// has to be torn down is torn down when nothing waits for it.
  ///
  /// ```swift
  /// final class Page {
  ///   deinit { print("the page goes") }
  /// }
  ///
  /// let loop = RunLoop.current
  /// let pool = RunLoop.ReleasePool()
  /// loop.add(pool, to: .common)
  /// loop.perform(in: .default) {
  ///   pool.push(Page())
  ///   print("the block ends")
  /// }
  /// loop.add(RunLoop.Timer(after: .milliseconds(1)) { _ in print("a timer") }, to: .default)
  /// loop.run()
  /// ```
  ///
  /// It prints
  ///
  /// ```text
  /// the block ends
  /// the page goes
  /// a timer
  /// ```
  ///
  /// The pool is an item of the loop. It is drained at beforeWaiting and at exit, the last object that was pushed first; what
  /// the end of an object pushes goes in the same drain. A nested run has a pool of its own: what the runs round it pushed
  /// stays until their own turn. What is pushed outside runs stays for the next one.
  ///
  /// Swift lets go of objects by itself. A pool is for those that somebody still uses without keeping them, and for putting
  /// off the work of a great many ends.
  public final class ReleasePool: Observer, @unchecked Sendable {
    // Sendable: as `Observer`; what is pushed belongs to the loop's thread.
    @safe @exclusivity(unchecked) private var kept: [Kept] = []

    /// An object, and in how deep a run it was pushed.
    private struct Kept {
      let object: AnyObject
      let depth: Int
    }

    /// An empty pool.
    ///
    /// - Parameter order: its place among the observers of beforeWaiting and exit; smaller numbers are called first. See
    ///   ``OrderNumber``.
    public init(
      order: Int = OrderNumber.releasePools, file: StaticString = #fileID, line: UInt = #line
    ) {
      super.init([.beforeWaiting, .exit], repeats: true, order: order, site: CallSite(file, line)) {
        observer, _ in
        (observer as? ReleasePool)?.drainRun()
      }
    }

    deinit { drain(downTo: 0) }

    /// Keeps an object until the next drain. Only on the loop's thread.
    ///
    /// - Precondition: the pool was added to a loop, and is valid.
    /// - Complexity: O(1), amortised.
    public func push(_ object: AnyObject) {
      guard let loop else {
        trap("this \(kindName), made at \(site), was pushed to and belongs to no loop yet")
      }
      loop.requireOwnThread(to: "push into a pool of")
      require(isValid, "this \(kindName), made at \(site), is invalid and would never be drained")
      kept.append(Kept(object: object, depth: max(loop.runDepth, 1)))
    }

    /// How many objects it keeps, of all runs on the stack. Only on the loop's thread.
    public var count: Int {
      loop?.requireOwnThread(to: "ask a pool of")
      return kept.count
    }

    /// Lets go of what the innermost run pushed, now. Only on the loop's thread: where a callout makes very many.
    public func drain() {
      guard let loop else { return }
      loop.requireOwnThread(to: "drain a pool of")
      drainRun()
    }

    private func drainRun() { drain(downTo: max(loop?.runDepth ?? 0, 1)) }

    /// Lets go of what was pushed in runs of this depth and of those that were nested in them: in a mode that the pool is
    /// not in, they ended without it.
    private func drain(downTo depth: Int) {
      // Out of the list first, and then let go: its end is the user's code, which may push and drain.
      while kept.last?.depth ?? -1 >= depth { _ = kept.removeLast() }
    }

    // A pool that nobody will drain any more keeps nothing.
    override func releaseHandlers() {
      super.releaseHandlers()
      if loop?.isOnOwnThread ?? false { drain(downTo: 0) }
    }
    override func didDetach(from scope: Scope, of loop: RunLoop) {
      super.didDetach(from: scope, of: loop)
      if loop.hasEnded { drain(downTo: 0) }
    }

    override var kindName: String { "release pool" }
    override var stateDescription: String { kept.isEmpty ? "" : "keeping \(kept.count)" }
  }
}
