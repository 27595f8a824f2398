import LinuxKernel

extension RunLoop {
  /// The ticks of a display link, for a task: `for await tick in link.ticks`.
  ///
  /// Each iteration begins with the first tick after its beginning, and ends when the link is invalidated. Nothing is kept
  /// but the latest tick: who comes late gets that, and its `missedFrames` counts those that were dropped for it, too.
  public struct DisplayTicks: AsyncSequence, Sendable {
    let link: DisplayLink

    /// Begins to listen; the link is awake from here on, until the iterator has gone.
    public func makeAsyncIterator() -> Iterator { Iterator(link) }

    /// Takes tick after tick.
    public struct Iterator: AsyncIteratorProtocol {
      private let mailbox: TickMailbox
      private var rings: AsyncStream<Void>.Iterator

      fileprivate init(_ link: DisplayLink) {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let mailbox = TickMailbox(bell)
        self.mailbox = mailbox
        self.rings = rings.makeAsyncIterator()
        bell.onTermination = { [weak link] _ in link?.remove(mailbox) }
        link.add(mailbox)
      }

      /// The latest tick that was not taken yet, or the next; nil once the link is invalid or the task cancelled.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> DisplayTick? {
        while await rings.next(isolation: actor) != nil {
          if let tick = mailbox.take() { return tick }
        }
        return nil
      }
    }
  }
}

extension RunLoop.DisplayLink {
  /// Its ticks, for a task. Any thread, any number of times.
  public var ticks: RunLoop.DisplayTicks { RunLoop.DisplayTicks(link: self) }

  fileprivate func add(_ mailbox: TickMailbox) {
    listeners.withLock { $0.append(mailbox) }
    // It may have become invalid just before, and nobody would end this one.
    if !isValid { mailbox.finish() }
    onLoop { $0.refresh() }
  }

  fileprivate func remove(_ mailbox: TickMailbox) {
    listeners.withLock { $0.removeAll { $0 === mailbox } }
    onLoop { $0.refresh() }
  }
}

/// The latest tick, until somebody takes it. Any thread.
final class TickMailbox: Sendable {
  private let latest = Locked<RunLoop.DisplayTick?>(nil)
  private let bell: AsyncStream<Void>.Continuation

  init(_ bell: AsyncStream<Void>.Continuation) { self.bell = bell }

  func put(_ tick: RunLoop.DisplayTick) {
    latest.withLock { $0 = tick.replacing($0) }
    bell.yield()
  }

  func take() -> RunLoop.DisplayTick? {
    latest.withLock { held in
      defer { held = nil }
      return held
    }
  }

  func finish() { bell.finish() }
}
