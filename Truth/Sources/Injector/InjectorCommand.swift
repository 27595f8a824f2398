import Glibc
import Grid
import Injecting
import Mainspring

/// Stalls Mainspring's loops as an injection file says, and logs what it did and what it was told about it.
@main
struct InjectorCommand {
  static func main() {
    InjectorProgram.main(named: "truth-injector", optionsOfBaselines: true) { request in
      let run = try Run(request, of: [.main, .second])
      let main = LoopStage(.main, loop: RunLoop.main.base, watchedBy: run.monitor)
      let second = secondStage(run)
      let stages = [main, second]
      for stage in stages { run.monitor.watch(stage.loop, as: "\(stage.name)") }
      let baselines =
        request.withBaselines
        ? stages.flatMap { Baselines.all(on: $0, threshold: run.grid.threshold, log: run.reports) } : []
      startThread(named: "driver") {
        main.isRunning.wait()
        run.drive(stages) { for baseline in baselines { baseline.end() } }
      }
      main.run()
    }
  }

  private static func secondStage(_ run: Run) -> LoopStage {
    let box = Box()
    startThread(named: "second") {
      let stage = LoopStage(.second, loop: .current, watchedBy: run.monitor)
      box.stage = stage
      stage.run()
    }
    while box.stage == nil { Clock.rest(1_000_000) }
    box.stage!.isRunning.wait()
    return box.stage!
  }

  private final class Box: @unchecked Sendable {
    // Sendable: written once, before `isRunning` is posted.
    var stage: LoopStage?
  }
}
