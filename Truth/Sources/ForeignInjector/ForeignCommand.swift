import Glibc
import Injecting
import StallMonitor

/// As the injector, of loops that are not Mainspring's. A program of its own: with the libraries that these need, what the
/// other one measures would be measured in another process.
@main
struct ForeignCommand {
  static func main() {
    InjectorProgram.main(named: "truth-foreign", optionsOfBaselines: false) { request in
      let run = try Run(request, of: [.marks, .queue, .pinged, .actor, .cfrunloop])
      let monitor = run.monitor
      let stages: [any Stage] = [
        MarksStage.started(monitor), QueueStage(monitor), PingedStage(monitor), ActorStage(monitor),
        CFRunLoopStage.started(monitor),
      ]
      run.drive(stages)
    }
  }
}
