/// What a program leaves out, so that worlds which differ on purpose can be compared all the same.
///
/// It is asked about the same acts in the same order in every world, as long as their logs are the same.
package protocol Restraint: AnyObject {
  /// Whether the act is performed; asked just before it is.
  func allows(_ act: Act, amid stage: [Scene]) -> Bool
  /// An item is being called.
  func note(_ item: Int, _ what: Event.Callout)
  /// A block is being performed.
  func noteBlock()
}

/// A run or a callout that is on.
package enum Scene: Sendable {
  case run(Act.Run)
  case callout(Int, Event.Callout)
  case block
}
