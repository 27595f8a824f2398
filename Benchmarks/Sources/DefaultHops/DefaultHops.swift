import Hops

/// Hops under the runtime's own executors.
@main
struct DefaultHops {
  static func main() async throws { try await measureHops(isOnMainLoop: false) }
}
