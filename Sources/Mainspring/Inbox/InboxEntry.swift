/// Something that a thread sent to a loop.
struct InboxEntry: ~Copyable {
  let site: CallSite
  let content: Content

  @safe enum Content: ~Copyable {
    /// A block for one mode (or for the common modes).
    case block(RunLoop.Mode, @Sendable () -> Void)
    /// A block for several.
    case sharedBlock(SharedBlock)
    /// A block for several, by its order number or after a delay.
    case request(RequestedBlock)
    /// A job of an executor. SAFETY: the loop that it was sent to keeps the gate.
    case job(LoopJob, Unmanaged<JobGate>)
    /// A version-0 source was signalled.
    case signal(RunLoop.Source)
    /// A port has messages.
    case message(RunLoop.AnyPort)
    /// A change that the loop is to make to itself.
    case change(@Sendable (RunLoop) -> Void)
  }

  /// Whether it is work of a sender who is told if it is refused.
  var isBlock: Bool {
    switch content {
    case .block: true
    case .sharedBlock: true
    case .request: true
    default: false
    }
  }
}
