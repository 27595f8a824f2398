extension RunLoop {
  /// A port of whatever message type; see `Port`.
  public class AnyPort: Item, @unchecked Sendable {
    // Sendable: as `Item`.

    /// How many messages wait. Any thread.
    var count: Int { 0 }
    /// How many were handed out. Only on the loop's thread.
    var deliveredCount: UInt64 { 0 }

    /// Whether messages wait. Any thread.
    final var hasMessages: Bool { count > 0 }

    /// Hands out up to `limit` messages, as long as `mayGoOn` says so after each; says whether there was any.
    func deliver(limit: Int, while mayGoOn: () -> Bool) -> Bool { false }

    /// A run begins inside a message's callout: what is left and what comes is that run's. Says whether any is left.
    func letNestedRunDeliver() -> Bool { false }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      if hasMessages, enlist(in: scope.mode) { scope.readyPorts.append(self) }
    }

    override var kindName: String { "port" }
  }
}
