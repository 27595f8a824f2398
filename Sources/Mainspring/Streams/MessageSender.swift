import LinuxKernel
import Synchronization

extension RunLoop {
  /// The sending end of a stream of messages. Any thread.
  ///
  /// Dropping it ends nothing; ``close()`` does.
  public struct MessageSender<Message: Sendable>: Sendable {
    /// Held by the loop alone, so that it goes with that, and the stream ends.
    private weak let port: Port<Message>?
    private let room: MessageRoom
    /// The most messages that may be on their way, nil for no limit.
    public var capacity: Int? { room.capacity }

    fileprivate init(_ port: Port<Message>, _ room: MessageRoom) {
      self.port = port
      self.room = room
    }

    /// Sends a message: to the loop, which gives it to the stream when it runs in one of the stream's modes.
    ///
    /// - Returns: `.full` where as many are on their way as may be: those that the loop has not come to, and those that no task
    ///   has taken yet. `.closed` once the stream has ended.
    /// - Complexity: O(1).
    @discardableResult
    public func send(_ message: Message) -> Port<Message>.SendResult {
      guard !room.isClosed, let port, port.isValid else { return .closed }
      guard room.take() else { return .full }
      let result = port.send(message)
      if result != .sent { room.giveBack() }
      return result
    }

    /// Takes nothing more; the stream ends after what was sent before.
    public func close() {
      room.close()
      port?.close()
    }
  }

  /// Messages from any thread, for a task, by way of this loop: they pass while it runs in the mode. Any thread.
  ///
  /// ```swift
  /// let (sender, messages) = RunLoop.current.messages(of: String.self, capacity: 8)
  /// sender.send("one")
  /// sender.close()
  /// Task { for await message in messages { print(message) } }
  /// RunLoop.current.run(in: .default)
  /// ```
  ///
  /// - Parameters:
  ///   - capacity: the most that may be on their way; a sender is told when it is reached. Nil for no limit.
  ///   - mode: where the loop has to run for messages to pass.
  /// - Precondition: the capacity is above zero.
  public func messages<Message: Sendable>(
    of type: Message.Type = Message.self, capacity: Int?, in mode: Mode = .common,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (sender: MessageSender<Message>, messages: EventStream<Message>) {
    require(capacity ?? 1 > 0, "a stream of capacity \(capacity ?? 0) could hold no message")
    let room = MessageRoom(capacity: capacity)
    let (tap, stream) = EventTap<Message>.make(onTaken: { room.giveBack() })
    let port = Port<Message>(file: file, line: line) { _, message in tap.put(message) }
    tap.serve(port)
    add(port, to: mode)
    return (MessageSender(port, room), stream)
  }
}

/// How many messages are on their way, from being sent to being taken. Any thread.
private final class MessageRoom: Sendable {
  let capacity: Int?
  private let count = Atomic<Int>(0)
  private let closed = Atomic<Bool>(false)

  init(capacity: Int?) { self.capacity = capacity }

  var isClosed: Bool { closed.load(ordering: .relaxed) }
  func close() { closed.store(true, ordering: .relaxed) }

  /// Says whether there was room for another.
  func take() -> Bool {
    guard let capacity else { return true }
    var present = count.load(ordering: .relaxed)
    while present < capacity {
      let (exchanged, original) = count.weakCompareExchange(
        expected: present, desired: present + 1, ordering: .relaxed)
      if exchanged { return true }
      present = original
    }
    return false
  }

  func giveBack() { if capacity != nil { count.subtract(1, ordering: .relaxed) } }
}
