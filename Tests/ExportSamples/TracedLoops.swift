import Foundation
import Mainspring

// Foundation has one, too.
import class Mainspring.RunLoop

/// Two loops that do a known number of things while they are traced: for readers of such files to be tried on.
struct TracedLoops {
  private static let (ticks, blocks) = (5, 10)

  /// Writes the trace to `loops.trace.json`, and to `loops.facts.json` what is in it, as the program counts and measures it.
  func write(to folder: URL) throws {
    let trace = try RunLoop.Trace(at: folder.appending(path: "loops.trace.json").path)
    let loop = RunLoop.current
    loop.trace(to: trace)
    let worker = try RunLoopThread(named: "worker")
    try worker.performAndWait { _ = RunLoop.current.trace(to: trace) }
    let answers = RunLoop.Port<Int> { port, _ in port.invalidate() }
    loop.add(answers, to: .default)
    worker.perform { _ = answers.send(1) }
    for _ in 1...Self.blocks { loop.perform(in: .default) { Self.work(.milliseconds(1)) } }
    let countdown = Countdown(Self.ticks)
    loop.add(
      RunLoop.Timer(every: .milliseconds(10)) { timer in
        Self.work(.milliseconds(2))
        if countdown.isOver() { timer.invalidate() }
      }, to: .default)
    // A run within a callout.
    loop.add(
      RunLoop.Timer(after: .milliseconds(25)) { _ in
        loop.run(in: .tracking, for: .milliseconds(20), whenEmpty: .wait)
      }, to: .default)
    let length = ContinuousClock().measure { _ = loop.run() }
    worker.stop()
    try trace.close()
    let facts: [String: Any] = [
      "run_ms": length / .milliseconds(1),
      "slices": [
        "run in default": 1, "run in tracking": 1, "timer": Self.ticks + 1, "port": 1,
        "block": Self.blocks,
      ],
    ]
    try JSONSerialization.data(withJSONObject: facts).write(to: folder.appending(path: "loops.facts.json"))
  }

  private static func work(_ duration: Duration) {
    let clock = ContinuousClock()
    let end = clock.now + duration
    while clock.now < end {}
  }

  /// On the loop's thread alone.
  private final class Countdown: @unchecked Sendable {
    // Sendable: as it says.
    private var left: Int
    init(_ count: Int) { left = count }
    func isOver() -> Bool {
      left -= 1
      return left == 0
    }
  }
}
