import Mainspring
import Testing

/// Runs a body on a thread of its own, with a loop of its own, and waits for it: for what changes the thread, and so is
/// not to be done to one that others use.
func onOwnThread(_ body: @escaping @Sendable (RunLoop) throws -> Void) {
  TestThread {
    do { try body(RunLoop.current) } catch { Issue.record(error) }
  }.join()
}
