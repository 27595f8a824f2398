import Glibc
import LinuxKernel
import Mainspring

/// A host, as small as it can be: it watches a guest's descriptor and lets the loop have turns.
final class PollingHost: @unchecked Sendable {
  // Sendable: used on the loop's thread alone, also by what the loop calls there.

  /// How it watches: again and again while the descriptor is readable, or once when it becomes so.
  enum Trigger: String, CaseIterable, Sendable { case level, edge }

  let guest: RunLoop.Guest
  private let set: EpollSet
  private var events = ReadyEvents(capacity: 1)

  init(of guest: RunLoop.Guest, _ trigger: Trigger = .level) throws {
    self.guest = guest
    set = try EpollSet()
    let bits = EpollBits.read | (trigger == .edge ? EpollBits.edgeTriggered : 0)
    try set.add(guest.descriptor, bits: bits, token: 0)
  }

  func stopWatching() { try? set.remove(guest.descriptor) }

  /// Waits until the descriptor is readable, or only looks.
  @discardableResult
  func wait(_ nanoseconds: UInt64? = nil) -> Bool {
    set.wait(nanoseconds: nanoseconds, into: &events)
    return events.count > 0
  }

  /// Whether the descriptor is readable now, for whom it matters how it is watched: not taken by asking.
  var isReadable: Bool { Self.isReadable(guest.descriptor) }

  static func isReadable(_ descriptor: CInt) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// Lets the loop have a turn whenever the descriptor is readable, as often as it takes until `isDone`.
  func serve(until isDone: () -> Bool) {
    while !isDone() {
      wait()
      guest.turn()
    }
  }

  /// Serves what there is, without waiting.
  func serve() { while wait(0) { guest.turn() } }
}

extension RunLoop {
  /// Lets a polling host have the loop, settled: it has had its first turn.
  func withHost(
    _ trigger: PollingHost.Trigger = .level, in mode: Mode = .default,
    _ body: (PollingHost) throws -> Void
  ) throws {
    let guest = try beHosted(in: mode)
    let host = try PollingHost(of: guest, trigger)
    defer {
      host.stopWatching()
      guest.invalidate()
    }
    host.serve()
    try body(host)
  }
}
