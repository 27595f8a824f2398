import Dispatch
import Mainspring
import MainspringDispatch

/// The main dispatch queue in a program whose main actor runs on the main loop: served where that is asked for.
@MainActor
enum MainQueueScenario {
  static func run() async throws {
    try RunLoop.main.serveMainQueue()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        tell("a block of the main queue")
        continuation.resume()
      }
    }
    tell("main goes on")
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        Task {
          tell("a task from the main queue")
          continuation.resume()
        }
      }
    }
  }
}
