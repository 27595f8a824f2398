import CoreFoundation
import LinuxKernel
import Mainspring
import Synchronization

/// One mode of a CFRunLoop that is a guest, and when it has its turns.
///
/// CFRunLoop has an epoll set for each of its modes, with everything in it that would wake it there: its timers, its
/// wake-ups, the ports of its sources. The host watches that set. What wakes nobody, blocks and notifications that were
/// queued on the thread itself, is looked for before the host sleeps, where anything was called since the last look.
final class GuestMode: @unchecked Sendable {
  // Sendable: the name and the host never change, and all else belongs to the loop's thread.
  private let name: CFString
  private let host: RunLoop
  /// Released with the last handler of the guest's.
  private let place: GuestPlace
  /// The mode's epoll set.
  private var descriptor: CInt = -1
  /// A source that is never signalled.
  private let filler: CFRunLoopSource
  /// How many callouts the host had made when the guest had last nothing left to do.
  private var quietSince: UInt64?

  init(_ name: CFString, of host: RunLoop, _ place: GuestPlace) {
    self.name = name
    self.host = host
    self.place = place
    var context = unsafe CFRunLoopSourceContext()
    // SAFETY: the context is copied by the call, and empty: the source is never signalled.
    filler = unsafe CFRunLoopSourceCreate(nil, 0, &context)
  }

  /// Adds the items by which the host serves the mode to one of its own.
  func addItems(to mode: RunLoop.Mode, _ site: (file: StaticString, line: UInt))
    throws(RunLoop.DescriptorError) -> [RunLoop.Item]
  {
    let (file, line) = site
    descriptor = try findDescriptor()
    let recheck = RunLoop.Timer(rearmable: (), file: file, line: line) { [self] _ in turn() }
    let source = RunLoop.DescriptorSource(descriptor, file: file, line: line) { [self] _, _ in
      turn()
      if recheck.fireDate == nil { recheck.setFireDate(host.now.advanced(by: Self.recheckTime)) }
    }
    try host.add(source, to: mode)
    let observer = RunLoop.Observer(
      [.entry, .beforeWaiting], order: Self.order, file: file, line: line
    ) { [self] _, activity in
      if activity == .beforeWaiting { turnBeforeSleep() } else { quietSince = nil }
    }
    host.add(observer, to: mode)
    host.add(recheck, to: mode)
    return [source, observer, recheck]
  }

  /// Behind all that may queue something.
  private static let order = RunLoop.OrderNumber.hostedLoops

  /// The mode's epoll set, found by a source that is put into it for the while.
  private func findDescriptor() throws(RunLoop.DescriptorError) -> CInt {
    do throws(KernelError) {
      let probe = try EventDescriptor()
      let source = PortSource(probe.number) {}
      source.add(to: CFRunLoopGetCurrent(), name)
      defer { source.invalidate() }
      if let found = try EpollSet.number(holding: probe.number) { return found }
    } catch {
      throw RunLoop.DescriptorError(error)
    }
    trap("CFRunLoop has no epoll set for a mode that a port is in: this version is not known")
  }

  /// Lets CFRunLoop do what there is to do, and as much as a turn may have.
  private func turn() {
    for _ in 0..<Self.passesPerTurn {
      // To be certain that nothing is left: one that came while it made callouts wakes nobody.
      guard pass() || EpollSet.isReadable(descriptor) else {
        quietSince = host.calloutCount
        return
      }
    }
    // A source that signals itself, say: what rang was taken, and what is left rings no more.
    quietSince = nil
    host.wakeUp()
  }

  /// One pass, without sleeping, which serves one of the descriptors that are ready; says whether it was a source's.
  private func pass() -> Bool {
    let result = CFRunLoopRunInMode(name, 0, true)
    guard result == .finished, EpollSet.isReadable(descriptor) else { return result == .handledSource }
    // A mode with nothing in it makes no pass; the wake-up that came all the same would ring for ever.
    CFRunLoopAddSource(CFRunLoopGetCurrent(), filler, name)
    defer { CFRunLoopRemoveSource(CFRunLoopGetCurrent(), filler, name) }
    return CFRunLoopRunInMode(name, 0, true) == .handledSource
  }

  /// The same before the host sleeps, unless nobody was called meanwhile who could have queued something.
  private func turnBeforeSleep() { if quietSince.map({ $0 &+ 1 != host.calloutCount }) ?? true { turn() } }

  private static let passesPerTurn = 64
  /// What another thread asks for in the last moments of a turn, in which CFRunLoop takes note of no wake-up, waits for so
  /// long.
  private static let recheckTime = Duration.milliseconds(10)
}

extension RunLoop {
  /// How many callouts were begun.
  fileprivate var calloutCount: UInt64 { beacon.callouts.load(ordering: .relaxed) }
}
