import LinuxKernel

extension RunLoop {
  /// The messages of a port, for a task: `for await delivery in port.deliveries`.
  ///
  /// Each message is taken by one iteration, if there are several. Ends after the last message once the other side has ended
  /// or the port is invalid, or when the task is cancelled.
  public struct PeerDeliveries<Message: Sendable>: AsyncSequence, Sendable {
    fileprivate let buffer: PeerBuffer<Message>
    fileprivate let resume: @Sendable () -> Void

    /// Begins to take.
    public func makeAsyncIterator() -> Iterator { Iterator(deliveries: self) }

    /// How the other side ended; nil while it has not, and where this side ended first. Any thread.
    public var closing: PortClosing? { buffer.closing }

    /// Takes message after message.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let deliveries: PeerDeliveries

      /// The next message; nil at the end.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> PeerDelivery<
        Message
      >? {
        while !Task.isCancelled {
          let ticket = deliveries.buffer.line.ticket
          switch deliveries.buffer.take() {
          case .delivery(let delivery, let hasMadeRoom):
            if hasMadeRoom { deliveries.resume() }
            return delivery
          case .end: return nil
          case .nothing: await deliveries.buffer.line.wait(after: ticket)
          }
        }
        return nil
      }
    }
  }
}

extension RunLoop.PeerPort {
  /// Its messages, for a task. Any thread.
  ///
  /// - Precondition: the port was made with a buffer and without a handler.
  public var deliveries: RunLoop.PeerDeliveries<Received> {
    guard let buffer else { trap("the port of descriptor \(descriptor) has a handler and no buffer") }
    return RunLoop.PeerDeliveries(buffer: buffer) { [weak self] in
      guard let self else { return }
      link?.pause(self) { buffer.isFull }
    }
  }
}

/// Messages that were read and not taken. Any thread.
final class PeerBuffer<Message: Sendable>: Sendable {
  private let state = Locked(State())
  private let limit: Int
  /// Rung when there is a message, and at the end.
  let line = TaskLine()

  private struct State {
    var deliveries: [RunLoop.PeerDelivery<Message>] = []
    var hasEnded = false
    var closing: RunLoop.PortClosing?
  }

  enum Finding: Sendable {
    case delivery(RunLoop.PeerDelivery<Message>, hasMadeRoom: Bool)
    case nothing
    case end
  }

  init(limit: Int) { self.limit = limit }

  var closing: RunLoop.PortClosing? { state.withLock { $0.closing } }

  var isFull: Bool { state.withLock { $0.deliveries.count >= limit } }

  /// Says whether there is no room for another.
  func put(_ delivery: RunLoop.PeerDelivery<Message>) -> Bool {
    let isFull = state.withLock { state in
      state.deliveries.append(delivery)
      return state.deliveries.count >= limit
    }
    line.ring()
    return isFull
  }

  func take() -> Finding {
    state.withLock { state in
      guard !state.deliveries.isEmpty else { return state.hasEnded ? .end : .nothing }
      let wasFull = state.deliveries.count >= limit
      return .delivery(state.deliveries.removeFirst(), hasMadeRoom: wasFull)
    }
  }

  func end(_ closing: RunLoop.PortClosing?) {
    state.withLock { state in
      state.hasEnded = true
      state.closing = state.closing ?? closing
    }
    line.ring()
  }
}
