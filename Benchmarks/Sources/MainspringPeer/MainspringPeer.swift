import Glibc
import CHarness
import Mainspring

/// `MainspringPeer PEER WORKLOAD N`: one workload on Mainspring, one line.
///
/// Peers: `mainspring` (a secondary thread's loop), `mainspring-main` (the main thread's) and `mainspring-port`
/// (tasks sent as messages of a port).
@main
struct MainspringPeer {
  static func main() {
    exit(harness_main(CommandLine.argc, CommandLine.unsafeArgv))
  }
}

@_cdecl("peer_lookup")
public func peer_lookup(_ name: UnsafePointer<CChar>, _ operations: UnsafeMutablePointer<peer_ops>) -> Bool {
  let peer = String(cString: name)
  guard ["mainspring", "mainspring-main", "mainspring-port"].contains(peer) else { return false }
  var filled = peer_ops()
  filled.name = name
  filled.run_in_thread = peer != "mainspring-main"
  filled.loop_new = { UnsafeMutableRawPointer(Unmanaged.passRetained(PeerLoop()).toOpaque()) }
  filled.loop_run = { PeerLoop.of($0).loop.run() }
  filled.loop_stop = { PeerLoop.of($0).loop.stop() }
  filled.pass = { raw in
    Unmanaged<PeerLoop>.fromOpaque(raw!)._withUnsafeGuaranteedRef {
      _ = $0.loop.run(in: .default, for: .zero)
    }
  }
  fillWaking(&filled)
  if peer == "mainspring-port" { fillPortPosting(&filled) } else { fillPosting(&filled) }
  fillTimers(&filled)
  fillDescriptors(&filled)
  filled.observer_add = { PeerLoop.of($0).loop.add(RunLoop.Observer(.all) { _, _ in }, to: .default) }
  operations.pointee = filled
  return true
}

private func fillWaking(_ operations: inout peer_ops) {
  operations.wake_init = { raw, function, argument in
    let peer = PeerLoop.of(raw)
    let callback = Callback(function: function!, argument: argument)
    let source = RunLoop.Source { _ in callback() }
    peer.loop.add(source, to: .default)
    peer.source = source
  }
  operations.wake = { raw in
    let peer = PeerLoop.of(raw)
    peer.source?.signal()
    peer.loop.wakeUp()
  }
}

private func fillPosting(_ operations: inout peer_ops) {
  operations.post = { raw, function, argument in
    let callback = Callback(function: function!, argument: argument)
    PeerLoop.of(raw).loop.perform(in: .default) { callback() }
  }
}

private nonisolated(unsafe) var port: RunLoop.Port<Callback>?

private func fillPortPosting(_ operations: inout peer_ops) {
  operations.loop_new = {
    let peer = PeerLoop()
    let made = RunLoop.Port<Callback> { _, callback in callback() }
    peer.loop.add(made, to: .default)
    port = made
    return UnsafeMutableRawPointer(Unmanaged.passRetained(peer).toOpaque())
  }
  operations.post = { _, function, argument in
    port!.send(Callback(function: function!, argument: argument))
  }
}

private func fillTimers(_ operations: inout peer_ops) {
  operations.timers_alloc = { raw, count in
    let peer = PeerLoop.of(raw)
    peer.armed = .allocate(capacity: count)
    peer.timerReferences = .allocate(capacity: count)
    peer.timers = (0..<count).map { index in
      let timer = RunLoop.Timer(rearmable: ()) { _ in peer.armed[index]() }
      peer.loop.add(timer, to: .default)
      peer.timerReferences[index] = .passUnretained(timer)
      return timer
    }
  }
  operations.timer_arm = { raw, index, delay, function, argument in
    PeerLoop.withTimer(raw, index) { peer, timer in
      peer.armed[index] = Callback(function: function!, argument: argument)
      timer.setFireDate(peer.base.advanced(byNanoseconds: Int64(delay)))
    }
  }
  operations.time_update = { raw in PeerLoop.of(raw).base = .now }
  operations.timer_cancel = { raw, index in
    PeerLoop.withTimer(raw, index) { _, timer in timer.setFireDate(nil) }
  }
  operations.timer_repeat = { raw, interval, function, argument in
    let callback = Callback(function: function!, argument: argument)
    PeerLoop.of(raw).loop.add(
      RunLoop.Timer(every: .nanoseconds(Int64(interval))) { _ in callback() }, to: .default)
  }
}

private func fillDescriptors(_ operations: inout peer_ops) {
  operations.fds_alloc = { _, _ in }
  operations.fd_add = { raw, _, descriptor, function, argument in
    let callback = Callback(function: function!, argument: argument)
    try! PeerLoop.of(raw).loop.add(
      RunLoop.DescriptorSource(descriptor) { _, _ in callback() }, to: .default)
  }
}
