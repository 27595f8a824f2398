import Mainspring
import MainspringTesting

/// A loop with gestures in its common modes, and what was told: names and states, in order.
final class GestureStage: Sendable {
  typealias Touch = RunLoop.Touch

  let virtual = VirtualRunLoop()
  let gestures = RunLoop.Gestures()
  let told = Record<String>()

  init() { virtual.loop.add(gestures, to: .common) }

  var loop: RunLoop { virtual.loop }

  @discardableResult
  func look<Recognizer: RunLoop.GestureRecognizer>(
    for name: String, _ recognizer: Recognizer, alongside: Bool = false,
    unless other: RunLoop.Recognition? = nil,
    runningIn mode: RunLoop.Mode? = nil, then action: @escaping @Sendable (Recognizer) -> Void = { _ in }
  ) -> RunLoop.Recognition {
    let told = told
    let tell: @Sendable (Recognizer) -> Void = {
      told.add("\(name) \($0.state)")
      action($0)
    }
    return if let other {
      gestures.recognize(recognizer, alongside: alongside, unless: other, runningIn: mode, action: tell)
    } else {
      gestures.recognize(recognizer, alongside: alongside, runningIn: mode, action: tell)
    }
  }

  /// A touch of now.
  func feed(_ phase: Touch.Phase, _ x: Double = 0, finger: Int = 0, ago: Duration = .zero) {
    gestures.feed(
      Touch(
        phase, at: RunLoop.Vector(x: x, y: 0), time: virtual.now.advanced(by: .zero - ago), finger: finger))
  }

  /// Lets the loop do what there is, and so much time pass.
  func pass(_ milliseconds: Int = 0) {
    loop.run(in: .default, for: .milliseconds(max(1, milliseconds)), whenEmpty: .wait)
  }

  /// Down and up again, which takes 2 ms.
  func tap(_ x: Double = 0) {
    feed(.began, x)
    pass(1)
    feed(.ended, x)
    pass(1)
  }
}
