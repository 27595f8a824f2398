import CHarness
import Mainspring

func fillTimers(_ operations: inout peer_ops) {
  operations.timers_alloc = { raw, count in
    PeerLoop.with(raw) { $0.makeTimers(count, tolerance: .zero) }
  }
  operations.timer_arm = { raw, index, delay, function, argument in
    PeerLoop.withTimer(raw, index) { peer, timer in
      peer.armed[index] = Callback(function: function!, argument: argument)
      timer.setFireDate(peer.base.advanced(byNanoseconds: Int64(delay)))
    }
  }
  operations.time_update = { raw in PeerLoop.with(raw) { $0.base = .now } }
  operations.timer_cancel = { raw, index in
    PeerLoop.withTimer(raw, index) { _, timer in timer.setFireDate(nil) }
  }
  operations.timer_repeat = { raw, interval, function, argument in
    let callback = Callback(function: function!, argument: argument)
    PeerLoop.with(raw) { peer in
      peer.loop.add(RunLoop.Timer(every: .nanoseconds(Int64(interval))) { _ in callback() }, to: .default)
    }
  }
  operations.timer_plain = { raw, delay in
    PeerLoop.with(raw) { peer in
      peer.loop.add(
        RunLoop.Timer(at: peer.base.advanced(byNanoseconds: Int64(delay))) { _ in }, to: .default)
    }
  }
}

func fillTolerantTimers(_ operations: inout peer_ops) {
  operations.timers_alloc = { raw, count in
    PeerLoop.with(raw) { $0.makeTimers(count, tolerance: .milliseconds(1)) }
  }
}

extension PeerLoop {
  /// Timers that are armed by their dates, over and over.
  fileprivate func makeTimers(_ count: Int, tolerance: Duration) {
    armed = .allocate(capacity: count)
    timerReferences = .allocate(capacity: count)
    timers = (0..<count).map { index in
      let timer = RunLoop.Timer(rearmable: (), tolerance: tolerance) { _ in self.armed[index]() }
      loop.add(timer, to: .default)
      timerReferences[index] = .passUnretained(timer)
      return timer
    }
  }
}
