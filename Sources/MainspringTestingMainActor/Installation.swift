internal import CVirtualClock
internal import LinuxKernel
internal import Mainspring
internal import MainspringMainExecutor
internal import MainspringTesting
internal import Synchronization

/// Before main, and before `MainspringMainExecutor` has the main loop made: that is to wait by a clock that can be frozen.
@section(".init_array.00150") @used
private let installBeforeMain: @convention(c) () -> Void = {
  ThreadClocks.setter.withLock { setter in
    setter = { readings in
      if let readings {
        mainspring_virtual_clock_set(readings.monotonic, readings.boot, readings.wall)
      } else {
        mainspring_virtual_clock_clear()
      }
    }
  }
  RunLoop.makerOfMainPoller.withLock { $0 = { JumpingPoller() } }
  VirtualSleeps.areAskedFor.store(true, ordering: .relaxed)
}
