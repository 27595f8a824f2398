import Mainspring

extension Operations {
  static let sources = [
    Operation("source", "a source that signals itself, and the busy pass that performs it") {
      let loop = RunLoop.current
      let countdown = Countdown()
      let source = RunLoop.Source { source in
        Callouts.note()
        if countdown.isOver { loop.stop() } else { source.signal() }
      }
      loop.add(source, to: .default)
      return { times in
        Callouts.expect(times) {
          countdown.begin(times)
          source.signal()
          loop.run()
        }
      }
    }
  ]
}

/// How many times more something is to happen.
final class Countdown: @unchecked Sendable {
  // Sendable: touched on the loop's thread alone.
  private var left = 0

  func begin(_ times: Int) { left = times }

  /// Counts once more, and says whether that was the last time.
  var isOver: Bool {
    left -= 1
    return left == 0
  }
}
