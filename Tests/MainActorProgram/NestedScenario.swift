import Mainspring

/// Runs of the main loop by a program that is run by it.
@MainActor
enum NestedScenario {
  /// In a stretch of the main actor: others of its jobs wait for an await, unless they are asked for.
  static func run() async {
    await Task.yield()
    Task { tell("a job") }
    RunLoop.main.addTimer(after: .zero) { _ in tell("a timer") }
    RunLoop.main.run(in: .default, for: .milliseconds(5), whenEmpty: .wait)
    tell("nested run over")
    RunLoop.main.servingJobs { _ = RunLoop.main.run(in: .default, for: .zero, whenEmpty: .wait) }
    tell("the second over")
    Task { tell("another job") }
    RunLoop.main.run(in: .tracking, for: .zero, whenEmpty: .wait)
    tell("the third over")
    await Task.detached { await MainActor.run { tell("awaited") } }.value
  }

  /// Before main was first suspended its run is the outermost, and serves jobs.
  static func runBeforeTheFirstSuspension() {
    Task { tell("a job") }
    tell("run: \(RunLoop.main.run().reason)")
  }

  /// Stops end what is nested in the program's run, and not that.
  static func stopped() async {
    await Task.yield()
    RunLoop.main.addTimer(after: .zero) { _ in RunLoop.main.stop(.all) }
    tell("nested: \(RunLoop.main.run(in: .default, whenEmpty: .wait).reason)")
    RunLoop.main.stop(.all)
    await Task.detached { await MainActor.run { tell("goes on") } }.value
  }
}
