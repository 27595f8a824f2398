extension RunLoop {
  /// What an item of the loop tells, for a task: `for await event in stream`.
  ///
  /// ```swift
  /// let ticks = RunLoop.current.ticks(every: .seconds(1))
  /// let task = Task {
  ///   for await tick in ticks where tick.number.isMultiple(of: 60) { print("a minute has passed") }
  /// }
  /// RunLoop.current.run(in: .default, for: .seconds(3))
  /// task.cancel()
  /// ```
  ///
  /// The item is in the loop's modes from the call that makes the stream on, and what it tells while the loop runs is kept until
  /// a task takes it. How much is kept is bounded: the function that makes the stream says what happens then.
  ///
  /// The stream ends, and its item is invalidated, when the task that waits is cancelled, and when the stream and its
  /// iterators have gone. It ends as well, after what is kept, when the item is invalid and when the loop has ended.
  ///
  /// Any number of tasks may iterate, but each event goes to one of them alone.
  public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
    private let elements: AsyncStream<Element>
    private let gate: EventGate

    init(_ elements: AsyncStream<Element>, _ gate: EventGate) {
      self.elements = elements
      self.gate = gate
    }

    /// Begins to take. Any thread.
    public func makeAsyncIterator() -> Iterator { Iterator(elements.makeAsyncIterator(), gate) }

    /// Takes event after event.
    public struct Iterator: AsyncIteratorProtocol {
      private var elements: AsyncStream<Element>.Iterator
      private let gate: EventGate

      fileprivate init(_ elements: AsyncStream<Element>.Iterator, _ gate: EventGate) {
        self.elements = elements
        self.gate = gate
      }

      /// The first event that was kept, or the next that comes; nil once the stream has ended, or the task was cancelled.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
        gate.openIfRoom()
        guard let element = await elements.next(isolation: actor) else { return nil }
        gate.noteTaken()
        return element
      }
    }
  }
}
