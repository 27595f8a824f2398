/// What was to end on virtual time cannot: nothing is ready, no timer is armed, and nobody elsewhere has brought anything.
public struct StuckError: Error, CustomStringConvertible {
  /// The loop's modes and what is in them: what might have come, and did not.
  public let waiting: String

  package init(waiting: String) { self.waiting = waiting }

  /// What happened, and what is in the loop.
  public var description: String {
    "virtual time stands still: the body has not ended, nothing is ready, and no timer is armed that time could go on to. "
      + "Something is awaited that nobody brings. \(waiting)"
  }
}
