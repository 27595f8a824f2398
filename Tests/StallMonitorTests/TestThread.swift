import Foundation

/// A thread whose end is waited for.
final class TestThread: Sendable {
  private let ended = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let ended = ended
    Thread {
      body()
      ended.signal()
    }.start()
  }

  func join() { ended.wait() }

  static func run(_ body: @escaping @Sendable () -> Void) { TestThread(body).join() }
}
