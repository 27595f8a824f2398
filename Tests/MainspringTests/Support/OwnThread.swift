import LinuxKernel
import Mainspring
import Testing

/// Runs a body on a thread of its own, with a loop of its own, and waits for it: for what changes the thread, and so is
/// not to be done to one that others use.
func onOwnThread(_ body: @escaping @Sendable (RunLoop) throws -> Void) {
  TestThread {
    do { try body(RunLoop.current) } catch { Issue.record(error) }
  }.join()
}

/// A thread with a loop that runs in the default mode until it is stopped.
final class LoopThread: Sendable {
  private let made = Box<RunLoop>()
  private let isRunning = Gate()
  private let thread = Box<SendableThread>()

  private struct SendableThread: @unchecked Sendable {
    // Sendable: joined once.
    let thread: TestThread
  }

  /// - Parameter prepare: called on the thread before the loop runs.
  init(_ prepare: @escaping @Sendable (RunLoop) throws -> Void) {
    thread.value = SendableThread(
      thread: TestThread { [made, isRunning] in
        let loop = RunLoop.current
        made.value = loop
        do { try prepare(loop) } catch { Issue.record(error) }
        loop.perform(in: .default) { isRunning.open() }
        loop.run(in: .default, whenEmpty: .wait)
      })
    isRunning.pass()
  }

  var loop: RunLoop { made.value! }

  /// Returns when the thread has ended.
  func stop() {
    loop.stop(.all)
    thread.value?.thread.join()
  }
}
