import Dispatch
import Mainspring
import MainspringDispatch

/// The queue in nested runs, and in modes.
@MainActor
enum NestedScenario {
  static let main = RunLoop.main

  /// libdispatch does not begin with a block of the queue within another; the loop's own blocks run there.
  static func inABlock() throws {
    try main.serveMainQueue()
    DispatchQueue.main.async {
      tell("outer begins")
      DispatchQueue.main.async {
        tell("second block of the queue")
        RunLoop.main.stop()
      }
      main.perform(in: .common) { tell("block of the loop's own") }
      tell("nested: \(main.run().reason)")
      main.addTimer(after: .milliseconds(1)) { _ in tell("timer") }
      tell("nested: \(main.run().reason)")
      tell("outer ends")
    }
    tell("ended: \(main.run().reason)")
  }

  /// A nested run within anything else serves the queue.
  static func inATimer() throws {
    try main.serveMainQueue()
    main.addTimer(after: .zero) { _ in
      DispatchQueue.main.async {
        tell("block of the queue")
        RunLoop.main.stop()
      }
      tell("nested: \(main.run().reason)")
      DispatchQueue.main.async { RunLoop.main.stop() }
    }
    tell("ended: \(main.run().reason)")
  }

  /// The queue is served in the common modes, also those that become common, and in no other.
  static func otherModes() throws {
    try main.serveMainQueue()
    let mode = RunLoop.Mode("aside")
    DispatchQueue.main.async {
      tell("in \(RunLoop.main.base.currentMode!)")
      RunLoop.main.stop()
    }
    tell("aside: \(main.run(in: mode).reason)")
    var beats = 0
    main.addTimer(every: .milliseconds(1), to: mode) { timer in
      beats += 1
      tell("timer aside")
      if beats == 2 { timer.invalidate() }
    }
    tell("aside: \(main.run(in: mode).reason)")
    tell("tracking: \(main.run(in: .tracking).reason)")
    main.base.addCommonMode(mode)
    DispatchQueue.main.async {
      tell("in \(RunLoop.main.base.currentMode!)")
      RunLoop.main.stop()
    }
    tell("aside: \(main.run(in: mode).reason)")
  }
}
