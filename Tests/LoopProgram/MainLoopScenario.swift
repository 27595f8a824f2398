import Glibc
import LinuxKernel
import Mainspring

/// What the main thread's loop does.
@MainActor
enum MainLoopScenario {
  static var beats = 0

  static func run() throws {
    // Before anybody has asked for this thread's loop: others may wait for it all the same.
    let asker = try RunLoopThread(named: "asker")
    let refused = try asker.performAndWait { () -> Bool in
      do {
        try RunLoop.main.performAndWait(in: .common, for: .seconds(20)) {}
        return false
      } catch { return error as? RunLoop.PerformError == .wouldDeadlock }
    }
    tell("a circle through the main loop is refused: \(refused)")
    asker.stop()
    let main = RunLoop.main
    tell(main.base === RunLoop.current ? "main is current" : "main is not current")
    main.perform(in: .default) { tell("block on the main actor: \(beats)") }
    main.addTimer(every: .milliseconds(1)) { timer in
      beats += 1
      if beats == 3 { timer.invalidate() }
    }
    main.addObserver(of: .exit, repeats: false) { _, activity in tell("observed \(activity)") }
    tell("first run: \(main.run().reason), \(beats) beats")

    try NativeThread.start(named: "elsewhere") {
      RunLoop.main.perform(in: .default) {
        tell("block from elsewhere, on the main thread: \(ThreadIdentity.isMain)")
        RunLoop.main.addTimer(after: .zero, to: .default) { _ in
          tell("stopped a run: \(RunLoop.main.stop())")
        }
      }
    }
    tell("second run: \(main.run(in: .default, whenEmpty: .wait).reason)")
    main.stop()
    tell("kept stop: \(main.run().reason)")
  }

  /// Blocks of a nested run, which is in a block of the main loop itself.
  static func runNested() {
    let main = RunLoop.main
    main.perform(in: .default) {
      tell("outer begins")
      main.perform(in: .common) { tell("block queued in the block, in \(main.base.currentMode!)") }
      main.run(in: .tracking, for: .zero)
      main.run(in: .default, for: .zero)
      tell("outer ends")
    }
    main.perform(in: .default) { tell("block queued before, in \(main.base.currentMode!)") }
    main.run()
  }
}
