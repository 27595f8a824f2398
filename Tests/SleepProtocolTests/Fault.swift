import Mainspring

/// A mistake in the protocol, planted to see that the explorer finds it.
enum Fault: Equatable, Sendable {
  /// The step is not done: a load or exchange gives zero, a compare-exchange fails, an add only reads.
  case skipped(BellStep)
  /// The step is not atomic: a load, and then a store that others may see late.
  case split(BellStep)
  /// The compare-exchange succeeds whatever the word is.
  case unchecked(BellStep)
  /// The compare-exchange compares and does not exchange.
  case unswapped(BellStep)
  /// What the add gives back is not looked at: the poster always takes itself for the last one behind a
  /// shut door, the end always takes the door for empty.
  case countIgnored(BellStep)

  case announcedByStore, announcedAfterLook
  case lookSkipped, lookIgnoresMode
  case futexDoesNotCompare, edgeForgotten
  case noticedAfterRise
  /// A hosted loop takes the rings of its descriptor after it has looked whether it may lie down.
  case ringsTakenAfterLook
  case notRisenAfterLook, notRisenAfterWait
  case appendedWithoutBarrier, appendedToClosedInbox, refusalNotTold
  case glancedBeforeAppend
  case masksIgnored, masksEmpty
  case doorIgnored, doorIgnoredWhenShut, rungOutsideDoor
  /// Who enters looks whether the door was retired, and not whether it is shut.
  case shutIgnored
  case inboxTakenTwice, inboxNotClosed
  /// The end shuts the door before it closes the inbox.
  case doorShutFirst
}

extension Fault: CustomStringConvertible {
  var description: String {
    switch self {
    case .skipped(let step): "skipped \(step)"
    case .split(let step): "split \(step)"
    case .unchecked(let step): "unchecked \(step)"
    case .unswapped(let step): "unswapped \(step)"
    case .countIgnored(let step): "count ignored at \(step)"
    case .announcedByStore: "announced by a store"
    case .announcedAfterLook: "announced after the look"
    case .lookSkipped: "look skipped"
    case .lookIgnoresMode: "look ignores the mode"
    case .futexDoesNotCompare: "futex does not compare"
    case .edgeForgotten: "edge before the wait forgotten"
    case .noticedAfterRise: "noticed after the rise"
    case .ringsTakenAfterLook: "rings taken after the look"
    case .notRisenAfterLook: "not risen after the look"
    case .notRisenAfterWait: "not risen after the wait"
    case .appendedWithoutBarrier: "appended without a barrier"
    case .appendedToClosedInbox: "appended to a closed inbox"
    case .refusalNotTold: "refusal not told"
    case .glancedBeforeAppend: "glanced before the append"
    case .masksIgnored: "masks ignored"
    case .masksEmpty: "masks empty"
    case .doorIgnored: "door ignored"
    case .doorIgnoredWhenShut: "door ignored when shut"
    case .shutIgnored: "shut ignored"
    case .rungOutsideDoor: "rung outside the door"
    case .inboxTakenTwice: "inbox taken twice"
    case .inboxNotClosed: "inbox not closed"
    case .doorShutFirst: "door shut first"
    }
  }
}
