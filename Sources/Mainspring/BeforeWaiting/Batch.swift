import LinuxKernel

extension RunLoop {
  /// Updates that are asked for as often as anybody likes and done once, before the loop sleeps.
  ///
  /// ```swift
  /// enum Update { case layout, drawing }
  ///
  /// let loop = RunLoop.current
  /// let updates = RunLoop.Batch<Update> { _, update in print("done:", update) }
  /// loop.add(updates, to: .common)
  /// loop.perform(in: .default) {
  ///   for _ in 1...3 { updates.mark(.layout) }
  ///   updates.mark(.drawing)
  ///   print("marked")
  /// }
  /// loop.run()
  /// ```
  ///
  /// It prints
  ///
  /// ```text
  /// marked
  /// done: layout
  /// done: drawing
  /// ```
  ///
  /// What is marked stands in the order of first marks. An update is unmarked before it is done, so that it may mark
  /// itself or others again: those are done in the same batch, in rounds, sixteen at most. What is left then, and what lies
  /// beyond 4096 updates, is done after the loop has looked for other work, and still before it sleeps.
  ///
  /// A batch is an item of the loop, added to modes and removed as every other. A mark wakes a loop that sleeps in one of
  /// its modes and keeps the mode from being empty. In a pass that has no time to wait marks stay, but for every 64th pass
  /// in a row or after 8 ms of them.
  ///
  /// A run that an update nests does not call the batch: what is marked in it is done when that run has ended.
  public final class Batch<Mark: Hashable & Sendable>: Observer, @unchecked Sendable {
    // Sendable: as `Observer`; the marks are behind one lock.
    private let marks = Locked(Marks<Mark>())

    /// A batch that is done by calling `update` for each mark.
    ///
    /// - Parameters:
    ///   - order: its place among the observers of beforeWaiting; smaller numbers are called first. The one that is taken
    ///     where nothing is said leaves room before and behind: see ``OrderNumber``.
    ///   - update: called on the loop's thread. Freed once the batch is invalid.
    public init(
      order: Int = OrderNumber.batches, file: StaticString = #fileID, line: UInt = #line,
      update: @escaping @Sendable (Batch<Mark>, Mark) -> Void
    ) {
      super.init(.beforeWaiting, repeats: true, order: order, site: CallSite(file, line)) { observer, _ in
        (observer as? Batch<Mark>)?.doMarked(update)
      }
    }

    /// Asks for an update; once more before it was done is the same as once. Any thread. In no mode, or before there is a
    /// loop, the mark waits.
    ///
    /// - Returns: false if the batch is invalid or its loop has ended; nothing will be done.
    /// - Complexity: O(1), under the batch's lock, which is never held over a callout.
    @discardableResult
    public func mark(_ mark: Mark) -> Bool {
      guard isValid, !(loop?.isClosed ?? false) else { return false }
      if marks.withLock({ $0.add(mark) }) { workChanged() }
      return true
    }

    /// Takes a mark back; says whether there was one. Any thread.
    ///
    /// - Complexity: O(1).
    @discardableResult
    public func unmark(_ mark: Mark) -> Bool {
      guard isValid, marks.withLock({ $0.remove(mark) }) else { return false }
      workChanged()
      return true
    }

    /// Whether nothing is marked. Any thread.
    public var isEmpty: Bool { !isValid || marks.withLock { $0.isEmpty } }

    /// Does what is marked now instead of before the sleep: where a result is needed at once. Only on the loop's thread, and
    /// not within an update.
    public func flush() {
      guard let loop else { return }
      loop.requireOwnThread(to: "flush a batch of")
      require(!isInHandler, "this \(kindName), made at \(site), cannot be flushed by one of its updates")
      guard isValid else { return }
      loop.callOut(.beforeWaiting, site) { self.callOut(.beforeWaiting) }
    }

    private func doMarked(_ update: (Batch<Mark>, Mark) -> Void) {
      doWork {
        var left = Limit.updatesPerBatch
        for _ in 0..<Limit.roundsPerBatch {
          // One at a time, so that one that is unmarked, or a batch that is invalidated, meanwhile, is not done.
          let last = marks.withLock { $0.beginRound() }
          while left > 0, isValid, let mark = marks.withLock({ $0.take(upTo: last) }) {
            left -= 1
            update(self, mark)
          }
        }
      }
    }

    override var workToDo: Work { isEmpty ? .none : .waiting }
    override var kindName: String { "batch" }
    override var stateDescription: String { isEmpty ? "" : "marked" }
  }
}
