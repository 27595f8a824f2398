import CHarness
import Glibc
import Mainspring

/// `MainspringPeer PEER WORKLOAD N`: one workload on Mainspring, one line.
@main
struct MainspringPeer {
  static func main() {
    exit(harness_main(CommandLine.argc, CommandLine.unsafeArgv))
  }
}

/// The ways to use the loop that are measured, each a column.
enum Variant: String {
  /// The loop of a secondary thread.
  case secondary = "mainspring"
  /// The main thread's.
  case main = "mainspring-main"
  /// It looks for a while before it sleeps.
  case spinning = "mainspring-spin"
  /// What is posted is a message of a port.
  case port = "mainspring-port"
  /// What it does is traced.
  case traced = "mainspring-trace"
  /// Timers may be a millisecond late.
  case tolerant = "mainspring-tol"
}

/// Of all loops of the program. The file has no name any more, and goes with the program.
private let tracing = {
  let path = "/tmp/mainspring-peer-\(getpid()).json"
  defer { unlink(path) }
  return try! RunLoop.Trace(at: path)
}()

@_cdecl("peer_lookup")
public func peer_lookup(_ name: UnsafePointer<CChar>, _ operations: UnsafeMutablePointer<peer_ops>) -> Bool {
  guard let variant = Variant(rawValue: String(cString: name)) else { return false }
  var filled = peer_ops()
  filled.run_in_thread = variant != .main
  filled.loop_new = { UnsafeMutableRawPointer(Unmanaged.passRetained(PeerLoop()).toOpaque()) }
  if variant == .spinning {
    filled.loop_new = {
      let peer = PeerLoop()
      peer.loop.spinLimit = .microseconds(30)
      return UnsafeMutableRawPointer(Unmanaged.passRetained(peer).toOpaque())
    }
  }
  if variant == .traced {
    filled.loop_new = {
      let peer = PeerLoop()
      peer.loop.trace(to: tracing)
      return UnsafeMutableRawPointer(Unmanaged.passRetained(peer).toOpaque())
    }
  }
  filled.loop_run = { raw in PeerLoop.with(raw) { _ = $0.loop.run() } }
  filled.loop_stop = { raw in PeerLoop.with(raw) { _ = $0.loop.stop() } }
  filled.loop_end = { Unmanaged<PeerLoop>.fromOpaque($0!).release() }
  filled.pass = { raw in PeerLoop.with(raw) { _ = $0.loop.run(in: .default, for: .zero) } }
  fillWaking(&filled)
  if variant == .port { fillPortPosting(&filled) } else { fillPosting(&filled) }
  fillTimers(&filled)
  if variant == .tolerant { fillTolerantTimers(&filled) }
  fillDescriptors(&filled)
  fillObservers(&filled)
  fillModes(&filled)
  operations.pointee = filled
  return true
}

private func fillWaking(_ operations: inout peer_ops) {
  operations.wake_init = { raw, function, argument in
    PeerLoop.with(raw) { peer in
      let callback = Callback(function: function!, argument: argument)
      let source = RunLoop.Source { _ in callback() }
      peer.loop.add(source, to: .default)
      peer.source = source
    }
  }
  operations.wake = { raw in
    PeerLoop.with(raw) { peer in
      peer.source?.signal()
      peer.loop.wakeUp()
    }
  }
}

private func fillPosting(_ operations: inout peer_ops) {
  operations.post = { raw, function, argument in
    let callback = Callback(function: function!, argument: argument)
    PeerLoop.with(raw) { peer in _ = peer.loop.perform(in: .default) { callback() } }
  }
}

private func fillPortPosting(_ operations: inout peer_ops) {
  operations.loop_new = {
    let peer = PeerLoop()
    peer.port = RunLoop.Port<Callback> { _, callback in callback() }
    peer.loop.add(peer.port!, to: .default)
    return UnsafeMutableRawPointer(Unmanaged.passRetained(peer).toOpaque())
  }
  operations.post = { raw, function, argument in
    let callback = Callback(function: function!, argument: argument)
    PeerLoop.with(raw) { $0.portReference!._withUnsafeGuaranteedRef { _ = $0.send(callback) } }
  }
}

private func fillDescriptors(_ operations: inout peer_ops) {
  operations.fds_alloc = { _, _ in }
  operations.fd_add = { raw, _, descriptor, function, argument in
    PeerLoop.with(raw) { peer in
      let callback = Callback(function: function!, argument: argument)
      try! peer.loop.add(RunLoop.DescriptorSource(descriptor) { _, _ in callback() }, to: .default)
    }
  }
  operations.fd_plain = { raw, descriptor in
    PeerLoop.with(raw) { try! $0.loop.add(RunLoop.DescriptorSource(descriptor) { _, _ in }, to: .default) }
  }
}

/// Counts calls; on the loop's thread alone.
private struct Counter: @unchecked Sendable {
  // Sendable: the harness reads and the observers write on the loop's thread.
  let calls: UnsafeMutablePointer<Int>
}

private func fillObservers(_ operations: inout peer_ops) {
  operations.observer_add = { raw, calls in
    let counter = Counter(calls: calls!)
    PeerLoop.with(raw) { peer in
      peer.loop.add(RunLoop.Observer(.all) { _, _ in counter.calls.pointee += 1 }, to: .default)
    }
  }
  operations.others_add = { raw, what, count in
    PeerLoop.with(raw) { peer in
      for _ in 0..<count {
        switch what {
        case OTHER_BLOCKS: peer.loop.perform(in: "other") {}
        case OTHER_SOURCES: peer.loop.add(RunLoop.Source { _ in }, to: .default)
        default: peer.loop.add(RunLoop.Observer(.all) { _, _ in }, to: "other")
        }
      }
    }
  }
}

private func fillModes(_ operations: inout peer_ops) {
  operations.can_nest = true
  operations.common_modes = { raw, count in
    PeerLoop.with(raw) { peer in
      for number in 0..<count { peer.loop.addCommonMode(RunLoop.Mode("common \(number)")) }
    }
  }
  operations.common_timer = { raw in
    PeerLoop.with(raw) { peer in
      let timer = RunLoop.Timer(after: .seconds(3600)) { _ in }
      peer.loop.add(timer, to: .common)
      timer.invalidate()
    }
  }
}
