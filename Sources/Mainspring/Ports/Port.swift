import LinuxKernel

extension RunLoop {
  /// A queue of typed messages that any thread sends to and the loop's thread receives from.
  ///
  /// Messages arrive in the order in which they were sent and wake a loop that sleeps in one of the port's modes.
  public final class Port<Message: Sendable>: AnyPort, @unchecked Sendable {
    // Sendable: the mailbox is; the rest as `Item`.
    private let mailbox = Mailbox<Message>()
    /// The most messages that may wait, nil for no limit.
    public let capacity: Int?
    @safe @exclusivity(unchecked) private var handler: PortHandler<Message>

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
      self.handler = PortHandler(handler)
      super.init(order: order, site: CallSite(file, line))
    }

    /// Sends from any thread. Before the port is added to a loop, messages wait for that.
    ///
    /// - Complexity: O(1), under the port's lock, which is never held over a callout.
    @discardableResult
    public func send(_ message: Message) -> SendResult {
      guard isValid else { return .closed }
      switch mailbox.put(message, capacity: capacity) {
      case .closed: return .closed
      case .full: return .full
      case .quiet: if mask != .none || loop.map({ !$0.isClosed }) ?? true { return .sent }
      case .announce: if announce() { return .sent }
      }
      // The loop has ended: nobody will ever look.
      _ = mailbox.drop()
      return .closed
    }

    private func announce() -> Bool {
      guard let loop else { return true }
      if loop.isOnOwnThread {
        loop.enlistReady(self)
        loop.noteChangeForAnyHost()
        return true
      }
      return loop.sendMessageNotice(self)
    }

    /// Refuses what is sent from here on; what was sent before is delivered, and then the port is invalidated. Any
    /// thread.
    public func close() {
      guard isValid else { return }
      if mailbox.close() { invalidate() }
    }

    /// How many messages wait. Any thread.
    override public var count: Int { isInherited ? 0 : mailbox.count }

    override var deliveredCount: UInt64 { mailbox.handedOutCount }

    override func deliver(limit: Int, while mayGoOn: () -> Bool) -> Bool {
      var delivered = 0
      while delivered < limit, isValid, mailbox.hasNext() {
        mailbox.depth += 1
        // SAFETY: what stands there was given up to this call, which moves it out. It goes with the call: its end is the
        // user's code, after which it is asked whether to go on.
        handler(self, unsafe mailbox.giveUpNext().move())
        mailbox.depth -= 1
        if mailbox.depth == 0 { calloutEnded() }
        delivered += 1
        guard mayGoOn() else { break }
      }
      // In a forked child a sender's thread may have held the lock, and has gone.
      guard !isInherited else { return delivered > 0 }
      let rest = mailbox.settle()
      if rest.isEmpty, rest.isClosed { invalidate() }
      return delivered > 0
    }

    override func letNestedRunDeliver() -> Bool { isInherited ? false : !mailbox.settle().isEmpty }

    override var isInCallout: Bool { mailbox.depth > 0 }

    override func releaseHandlers() {
      if mailbox.depth == 0 { _ = take(&handler, leaving: .none) }
      if !isInherited { _ = mailbox.drop() }
    }

    override var stateDescription: String { "\(count) messages waiting" }
  }
}
