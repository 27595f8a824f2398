import Dispatch
import Mainspring
import MainspringDispatch

/// When the queue has its turn, and how much of it is done then.
@MainActor
enum TurnScenario {
  static let main = RunLoop.main
  static var count = 0

  /// What blocks of the queue queue there is the next turn's.
  static func snapshot() throws {
    try main.serveMainQueue()
    main.addObserver(of: .beforeTimers) { _, _ in tell("pass") }
    for name in ["first", "second"] {
      DispatchQueue.main.async {
        tell(name)
        DispatchQueue.main.async { tell("given by the \(name)") }
        // A stop is looked at after the turn.
        if name == "first" { RunLoop.main.stop() }
      }
    }
    tell("ended: \(main.run().reason)")
    tell("ended: \(main.run(in: .default, returnAfterSourceHandled: true).reason)")
  }

  /// A queue that is never empty, and the timers and blocks of the loop.
  static func fairness() throws {
    try main.serveMainQueue()
    giveForEver()
    var beats = 0
    main.addTimer(every: .microseconds(100)) { timer in
      beats += 1
      if beats < 20 { return }
      timer.invalidate()
      main.perform(in: .common) { main.stop() }
    }
    tell("ended: \(main.run().reason), \(beats) beats, queue served: \(count >= beats)")
  }

  private static func giveForEver() {
    DispatchQueue.main.async {
      count += 1
      giveForEver()
    }
  }

  /// What a source gives to the queue is done before the loop would sleep, and the pass after that has its wait again.
  static func peek() throws {
    try main.serveMainQueue()
    let source = RunLoop.Source { _ in
      tell("source")
      DispatchQueue.main.async {
        tell("from the source")
        RunLoop.main.perform(in: .default) { tell("block") }
        DispatchQueue.main.async {
          tell("from the queue")
          RunLoop.main.stop()
        }
      }
    }
    main.add(source, to: .common)
    // The first pass of a run does not peek: the source is signalled in the second.
    main.addTimer(after: .zero) { _ in
      tell("timer")
      source.signal()
    }
    main.addObserver(of: [.beforeTimers, .beforeWaiting, .afterWaiting]) { _, activity in tell("\(activity)")
    }
    tell("ended: \(main.run().reason)")
  }

  /// A turn of the queue counts as a handled source.
  static func handled() throws {
    try main.serveMainQueue()
    DispatchQueue.main.async { tell("block") }
    let waiting = main.run(in: .default, returnAfterSourceHandled: true)
    tell("ended: \(waiting.reason), handled: \(waiting.handledSource)")
    main.addTimer(after: .zero, to: .default) { _ in tell("timer") }
    let source = RunLoop.Source { _ in DispatchQueue.main.async { tell("peeked at") } }
    main.add(source, to: .default)
    main.perform(in: .default) { source.signal() }
    let single = main.run(in: .default, for: .zero)
    tell("ended: \(single.reason), handled: \(single.handledSource)")
  }
}
