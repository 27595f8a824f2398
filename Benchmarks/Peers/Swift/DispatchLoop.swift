import CHarness
import Dispatch
import Glibc

private final class DispatchLoop {
  let queue = DispatchQueue(label: "loop")
  let end = DispatchSemaphore(value: 0)
  var onWake: Callback?

  static func of(_ raw: UnsafeMutableRawPointer?) -> DispatchLoop { raw!.as_(DispatchLoop.self) }
}

func dispatchOperations() -> peer_ops {
  var filled = peer_ops()
  filled.loop_new = { UnsafeMutableRawPointer(keeping: DispatchLoop()) }
  filled.loop_run = { DispatchLoop.of($0).end.wait() }
  filled.loop_stop = { DispatchLoop.of($0).end.signal() }
  filled.wake_init = { raw, function, argument in
    DispatchLoop.of(raw).onWake = Callback(function: function!, argument: argument)
  }
  filled.wake = { raw in
    let peer = DispatchLoop.of(raw)
    let callback = peer.onWake!
    peer.queue.async { callback() }
  }
  filled.post = { raw, function, argument in
    let callback = Callback(function: function!, argument: argument)
    DispatchLoop.of(raw).queue.async { callback() }
  }
  let sameSources = UnsafePointer(strdup("the same sources as dispatch"))
  filled.na_timer = sameSources
  filled.na_fd = sameSources
  filled.na_pass = UnsafePointer(strdup("a queue has no pass"))
  return filled
}
