import Mainspring

/// Runs a body on a thread of its own, with a loop of its own, and waits for it.
func onOwnThread(_ body: @escaping @Sendable (RunLoop) throws -> Void) throws {
  let thread = try RunLoopThread(named: "display")
  defer { thread.stop() }
  try thread.performAndWait { try body(RunLoop.current) }
}
