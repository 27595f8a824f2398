import LinuxKernel

extension RunLoop {
  /// A queue of typed messages that any thread sends to and the loop's thread receives from.
  ///
  /// Messages arrive in the order in which they were sent and wake a loop that sleeps in one of the port's modes.
  public final class Port<Message: Sendable>: AnyPort, @unchecked Sendable {
    // Sendable: what other threads touch is behind the one lock; the rest as `Item`.
    private let mail: Locked<Mail>
    /// The most messages that may wait, nil for no limit.
    public let capacity: Int?
    @safe @exclusivity(unchecked) private var handler: PortHandler<Message>
    @safe @exclusivity(unchecked) private var depth = 0

    private struct Mail {
      /// Cells of messages that were taken are empty: the end of a message is the user's code, which must not run
      /// with the lock held, nor late.
      var messages: [Message?] = []
      /// Taken off the front already; the array starts anew when it is used up.
      var taken = 0
      var isAnnounced = false
      var isClosed = false

      var count: Int { messages.count - taken }

      mutating func takeFirst() -> Message? {
        guard taken < messages.count else { return nil }
        var message: Message?
        swap(&message, &messages[taken])
        taken += 1
        if taken == messages.count {
          messages.removeAll(keepingCapacity: taken <= keptCapacity)
          taken = 0
        } else if taken >= keptCapacity, taken * 2 >= messages.count {
          messages.removeFirst(taken)
          taken = 0
        }
        return message
      }
    }

    /// How a send went.
    public enum SendResult: Sendable {
      /// The message will be delivered, unless the port is invalidated or its loop ends before.
      case sent
      /// As many messages wait as the port may hold.
      case full
      /// The port was closed or invalidated, or its loop has ended.
      case closed
    }

    /// A port that hands its messages to a handler, one a call.
    ///
    /// - Parameters:
    ///   - capacity: the most messages that may wait; a sender is told when it is reached.
    ///   - order: smaller numbers are served first, ports before descriptors of the same number.
    ///   - handler: called on the loop's thread.
    /// - Precondition: the capacity is above zero.
    public init(
      capacity: Int? = nil, order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (Port<Message>, Message) -> Void
    ) {
      require(capacity ?? 1 > 0, "a port of capacity \(capacity ?? 0) could hold no message")
      self.capacity = capacity
      mail = Locked(Mail())
      self.handler = PortHandler(handler)
      super.init(order: order, site: CallSite(file, line))
    }

    /// Sends from any thread. Before the port is added to a loop, messages wait for that.
    ///
    /// - Complexity: O(1), under the port's lock, which is never held over a callout.
    @discardableResult
    public func send(_ message: Message) -> SendResult {
      guard isValid else { return .closed }
      let outcome = mail.withLock { mail -> SendOutcome in
        if mail.isClosed { return .closed }
        if let capacity, mail.count >= capacity { return .full }
        mail.messages.append(message)
        if mail.isAnnounced { return .quiet }
        mail.isAnnounced = true
        return .announce
      }
      switch outcome {
      case .closed: return .closed
      case .full: return .full
      case .quiet: if mask != .none || loop.map({ !$0.isClosed }) ?? true { return .sent }
      case .announce: if announce() { return .sent }
      }
      // The loop has ended: nobody will ever look.
      dropMail()
      return .closed
    }

    private func announce() -> Bool {
      guard let loop else { return true }
      if loop.isOnOwnThread {
        loop.enlistReady(self)
        return true
      }
      return loop.sendMessageNotice(self)
    }

    /// Refuses what is sent from here on; what was sent before is delivered, and then the port is invalidated. Any
    /// thread.
    public func close() {
      guard isValid else { return }
      let isEmpty = mail.withLock { mail in
        mail.isClosed = true
        return mail.count == 0
      }
      if isEmpty { invalidate() }
    }

    /// How many messages wait. Any thread.
    override public var count: Int { isInherited ? 0 : mail.withLock { $0.count } }

    override func deliver(limit: Int, while mayGoOn: () -> Bool) -> Bool {
      var delivered = 0
      while delivered < limit, isValid, let message = takeFirst() {
        deliveredCount &+= 1
        depth += 1
        handler(self, message)
        depth -= 1
        if depth == 0 { calloutEnded() }
        delivered += 1
        guard mayGoOn() else { break }
      }
      // In a forked child a sender's thread may have held the lock, and has gone.
      guard !isInherited else { return delivered > 0 }
      let isDone = mail.withLock { mail in
        if mail.count == 0 { mail.isAnnounced = false }
        return mail.isClosed && mail.count == 0
      }
      if isDone { invalidate() }
      return delivered > 0
    }

    override func letNestedRunDeliver() -> Bool {
      guard !isInherited else { return false }
      return mail.withLock { mail in
        mail.isAnnounced = mail.count > 0
        return mail.isAnnounced
      }
    }

    private func takeFirst() -> Message? { mail.withLock { $0.takeFirst() } }

    override var isInCallout: Bool { depth > 0 }

    override func releaseHandlers() {
      if depth == 0 { handler = .none }
      if !isInherited { dropMail() }
    }

    /// Refuses from here on, and releases what waits after the lock was.
    private func dropMail() {
      let dropped = mail.withLock { mail -> [Message?] in
        let held = mail.messages
        mail.messages = []
        mail.taken = 0
        mail.isClosed = true
        return held
      }
      _ = consume dropped
    }

    override var stateDescription: String { "\(count) messages waiting" }
  }
}

/// What a send found under the lock.
private enum SendOutcome { case closed, full, quiet, announce }

/// A port's array is kept between bursts up to this many messages.
private let keptCapacity = 4096
