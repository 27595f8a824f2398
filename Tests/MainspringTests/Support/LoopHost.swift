import Mainspring
import Testing

/// A loop on a thread of its own that runs in the default mode until it is told to end.
final class LoopHost: @unchecked Sendable {
  // Sendable: the thread is joined by the one test that made the host.
  let loop: RunLoop
  private let thread: TestThread
  private let hasEnded = Box(false)

  /// - Parameter prepare: called on the thread before the loop runs.
  init(_ prepare: @escaping @Sendable (RunLoop) throws -> Void = { _ in }) {
    let box = Box<RunLoop>()
    let ready = Gate()
    thread = TestThread {
      let own = RunLoop.current
      box.value = own
      do { try prepare(own) } catch { Issue.record(error) }
      own.perform(in: .default) { ready.open() }
      own.run(in: .default, whenEmpty: .wait)
    }
    ready.pass()
    loop = box.value!
  }

  /// Stops the run and waits until the thread has gone.
  func end() {
    guard hasEnded.value == false else { return }
    hasEnded.value = true
    loop.stop(.all)
    thread.join()
  }

  deinit { end() }
}
