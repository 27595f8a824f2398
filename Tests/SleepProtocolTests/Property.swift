/// What must hold in every interleaving.
enum Property: String {
  /// The loop never sleeps over something in the inbox that concerns it when nobody else can move.
  case noLostWakeUp = "no lost wake-up"
  /// Nobody writes to the descriptor's number after it was closed.
  case noWriteAfterClose = "no write to a closed descriptor"
  /// The descriptor is closed once, and it is closed when all are done.
  case closedOnce = "closed exactly once"
  /// What was accepted is run once or released at the end; what was refused is told so.
  case accounted = "every post accounted for"
  /// At most one ring for an announced sleep, none for what does not concern it, none for a loop that is up.
  case noNeedlessRing = "no needless ring"
  /// Every run ends.
  case progress = "progress"
  /// What `sleep` says about having been rung is so.
  case trueReport = "true report"
  /// No precondition of the protocol fails.
  case noTrap = "no trap"
}

/// A property that does not hold.
struct Violation: Error {
  let property: Property
  let detail: String

  init(_ property: Property, _ detail: String) {
    self.property = property
    self.detail = detail
  }
}

extension Violation: CustomStringConvertible {
  var description: String { "\(property.rawValue) (\(detail))" }
}
