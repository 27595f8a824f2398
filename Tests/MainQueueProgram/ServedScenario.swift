import Dispatch
import LinuxKernel
import Mainspring
import MainspringDispatch

/// What the main queue is given is done by the main loop.
@MainActor
enum ServedScenario {
  static func everything() throws {
    try RunLoop.main.serveMainQueue()
    let main = DispatchQueue.main
    main.async { tell("async, on the main thread: \(ThreadIdentity.isMain)") }
    let timer = DispatchSource.makeTimerSource(queue: main)
    timer.setEventHandler {
      tell("source, on the main thread: \(ThreadIdentity.isMain)")
      timer.cancel()
      DispatchQueue.global().async {
        let answer = main.sync { "sync, on the main thread: \(ThreadIdentity.isMain)" }
        tell(answer)
        giveOperation { main.asyncAfter(deadline: .now() + .milliseconds(1)) { RunLoop.main.stop() } }
      }
    }
    timer.schedule(deadline: .now() + .milliseconds(1))
    timer.activate()
    tell("ended: \(RunLoop.main.run().reason)")
  }

  /// The main actor's jobs are in the main queue where it has no executor of its own.
  static func mainActor() throws {
    try RunLoop.main.serveMainQueue()
    Task.detached {
      await MainActor.run { tell("main actor, on the main thread: \(ThreadIdentity.isMain)") }
      try await Task.sleep(for: .milliseconds(1))
      await sleepOnMainActor()
      RunLoop.main.stop()
    }
    tell("ended: \(RunLoop.main.run().reason)")
  }

  private static func sleepOnMainActor() async {
    try? await Task.sleep(for: .milliseconds(1))
    tell("after a sleep, on the main thread: \(ThreadIdentity.isMain)")
  }
}
