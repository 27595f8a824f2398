import CHarness
import CoreFoundation
import Foundation

private final class FoundationLoop {
  let loop = RunLoop.current
  let coreFoundation: CFRunLoop = CFRunLoopGetCurrent()
  var timers: [Timer?] = []
  var isStopped = false

  init() {
    // The mode must not be empty.
    var context = CFRunLoopSourceContext()
    context.perform = { _ in }
    CFRunLoopAddSource(coreFoundation, CFRunLoopSourceCreate(nil, 0, &context), kCFRunLoopDefaultMode)
  }

  static func of(_ raw: UnsafeMutableRawPointer?) -> FoundationLoop { raw!.as_(FoundationLoop.self) }
}

func foundationOperations() -> peer_ops {
  var filled = peer_ops()
  filled.run_in_thread = true
  filled.loop_new = { UnsafeMutableRawPointer(keeping: FoundationLoop()) }
  filled.loop_run = { raw in
    let peer = FoundationLoop.of(raw)
    while !peer.isStopped { _ = peer.loop.run(mode: .default, before: .distantFuture) }
  }
  filled.loop_stop = { raw in
    let peer = FoundationLoop.of(raw)
    peer.isStopped = true
    CFRunLoopStop(peer.coreFoundation)
  }
  filled.pass = { _ = FoundationLoop.of($0).loop.run(mode: .default, before: .distantPast) }
  filled.post = { raw, function, argument in
    let (peer, callback) = (FoundationLoop.of(raw), Callback(function: function!, argument: argument))
    peer.loop.perform { callback() }
    CFRunLoopWakeUp(peer.coreFoundation)
  }
  fillTimers(&filled)
  filled.na_fd = UnsafePointer(strdup("Foundation's RunLoop on Linux has no source for descriptors"))
  filled.na_observer = UnsafePointer(strdup("it has no observers"))
  return filled
}

private func fillTimers(_ operations: inout peer_ops) {
  operations.timers_alloc = { raw, count in
    FoundationLoop.of(raw).timers = Array(repeating: nil, count: count)
  }
  operations.timer_arm = { raw, index, delay, function, argument in
    let (peer, callback) = (FoundationLoop.of(raw), Callback(function: function!, argument: argument))
    // Not Timer(timeInterval:repeats:block:): on Linux it fires at once.
    let timer = Timer(fire: Date(timeIntervalSinceNow: Double(delay) * 1e-9), interval: 0, repeats: false) {
      _ in callback()
    }
    peer.loop.add(timer, forMode: .default)
    peer.timers[index] = timer
  }
  operations.timer_cancel = { raw, index in
    let peer = FoundationLoop.of(raw)
    peer.timers[index]?.invalidate()
    peer.timers[index] = nil
  }
  operations.timer_repeat = { raw, interval, function, argument in
    let callback = Callback(function: function!, argument: argument)
    let timer = Timer(timeInterval: Double(interval) * 1e-9, repeats: true) { _ in callback() }
    FoundationLoop.of(raw).loop.add(timer, forMode: .default)
  }
}
