public import CForeignLoops
public import Mainspring

/// A libuv loop, as a guest: one descriptor, a time-out, and a run that does not wait.
///
/// Used on the Mainspring loop's thread alone.
@safe public final class LibuvLoop: @unchecked Sendable {
  // Sendable: used on one thread. SAFETY: the loop is freed by the end of this object.
  @unsafe public let pointer: UnsafeMutablePointer<uv_loop_t>
  private var hasNewHandles = true

  public init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe uv_loop_init(pointer)
  }

  deinit {
    // What was not closed keeps its memory: libuv refuses to close a loop that has handles.
    if unsafe uv_loop_close(pointer) == 0 { unsafe pointer.deallocate() }
  }

  /// To be called after handles were started outside of libuv's own callbacks: libuv puts them into its descriptor as it
  /// runs.
  public func handlesStarted() { hasNewHandles = true }

  /// The loop as an item. It does not nest: libuv cannot be run from its own callbacks.
  public func hosted() -> RunLoop.HostedLoop {
    RunLoop.HostedLoop { wait in
      if self.hasNewHandles { wait.endAtOnce() }
      // libuv counts from the time that it read last.
      unsafe uv_update_time(self.pointer)
      wait.watch(unsafe uv_backend_fd(self.pointer), for: .read)
      wait.end(afterPolling: Int(unsafe uv_backend_timeout(self.pointer)))
    } dispatch: { _, _ in
      self.hasNewHandles = false
      unsafe uv_run(self.pointer, UV_RUN_NOWAIT)
    }
  }
}
