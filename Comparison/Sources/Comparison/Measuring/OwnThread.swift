import Foundation

/// What a thread of its own answered, and whether its loop had to be stopped for that.
struct Answer<Value: Sendable>: Sendable {
  let value: Value
  let wasRescued: Bool
}

extension ComparedLoop {
  /// Runs `body` on a thread of its own, whose loop is new, and waits for its answer. Once that has taken as long as
  /// `patience`, the loop is stopped until the answer comes.
  static func onOwnThread<Value: Sendable>(
    patience: Duration = .seconds(1), _ body: @escaping @Sendable (Self) -> Value
  ) -> Answer<Value> {
    let loop = Shared<Self?>(nil)
    let value = Shared<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    onAnotherThread {
      let current = Self.current
      loop.value = current
      value.value = body(current)
      isDone.signal()
    }
    var wasRescued = false
    var rest = patience
    while isDone.wait(timeout: .now() + rest / .seconds(1)) == .timedOut {
      wasRescued = true
      rest = .milliseconds(20)
      loop.value?.stop()
    }
    return Answer(value: value.value!, wasRescued: wasRescued)
  }
}
