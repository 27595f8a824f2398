import Hops
import Mainspring
import MainspringMainExecutor

/// Hops where the main actor runs on the main loop.
@main
struct LoopHops {
  static func main() async throws {
    precondition(MainRunLoop.carriesMainActor)
    try await measureHops(isOnMainLoop: true)
  }
}
