import Mainspring

/// Fingers on a screen, for recognisers alone: gives one what they do, in order, and what it becomes.
struct Hand<Recognizer: RunLoop.GestureRecognizer> {
  var recognizer: Recognizer
  /// The states that it went through.
  private(set) var states: [RunLoop.GestureState] = []
  private var fingersDown: Set<Int> = []
  private static var start: RunLoop.Instant { RunLoop.Instant(nanoseconds: 1_000_000_000) }

  init(_ recognizer: Recognizer) { self.recognizer = recognizer }

  static func date(_ milliseconds: Int) -> RunLoop.Instant { start.advanced(by: .milliseconds(milliseconds)) }

  /// What a finger does, at a time in ms; the time passes to it before.
  mutating func touch(
    _ phase: RunLoop.Touch.Phase, _ x: Double, _ y: Double = 0, at milliseconds: Int, finger: Int = 0
  ) {
    wait(until: milliseconds)
    step {
      $0.take(
        RunLoop.Touch(phase, at: RunLoop.Vector(x: x, y: y), time: Self.date(milliseconds), finger: finger))
    }
    if phase == .began { fingersDown.insert(finger) } else if phase != .moved { fingersDown.remove(finger) }
  }

  mutating func wait(until milliseconds: Int) { step { $0.pass(to: Self.date(milliseconds)) } }

  /// What `Gestures` does between two contacts.
  mutating func resetIfOver() { if recognizer.state.isOver, fingersDown.isEmpty { recognizer.reset() } }

  private mutating func step(_ change: (inout Recognizer) -> Void) {
    let before = recognizer.state
    change(&recognizer)
    if recognizer.state != before { states.append(recognizer.state) }
  }
}
