import CForeignLoops
public import Mainspring

/// An sd-event loop, as a guest: its three steps, of which only the second would wait.
///
/// Used on the Mainspring loop's thread alone.
@safe public final class SystemdEventLoop: @unchecked Sendable {
  // Sendable: used on one thread. SAFETY: the object has a reference.
  @unsafe public let pointer: OpaquePointer

  public init() {
    var made: OpaquePointer?
    let result = unsafe sd_event_new(&made)
    precondition(result >= 0, "no sd-event loop to be had: \(result)")
    unsafe pointer = made!
  }

  deinit { unsafe sd_event_unref(pointer) }

  /// The loop as an item. Its timers are in its descriptor: there is no date to ask for.
  public func hosted() -> RunLoop.HostedLoop {
    RunLoop.HostedLoop { wait in
      // Prepared already, and then woken for others: what was added since is to be taken in.
      if unsafe sd_event_get_state(self.pointer) == SD_EVENT_ARMED { unsafe sd_event_wait(self.pointer, 0) }
      if unsafe sd_event_get_state(self.pointer) == SD_EVENT_INITIAL { unsafe sd_event_prepare(self.pointer) }
      if unsafe sd_event_get_state(self.pointer) == SD_EVENT_PENDING { return wait.endAtOnce() }
      wait.watch(unsafe sd_event_get_fd(self.pointer), for: .read)
    } dispatch: { _, _ in
      if unsafe sd_event_get_state(self.pointer) == SD_EVENT_ARMED { unsafe sd_event_wait(self.pointer, 0) }
      if unsafe sd_event_get_state(self.pointer) == SD_EVENT_PENDING {
        unsafe sd_event_dispatch(self.pointer)
      }
    }
  }
}
