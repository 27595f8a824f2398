import LinuxKernel
import Mainspring

/// Registrations with scripted readiness, level- or edge-triggered as the kernel's, errors reported unasked.
final class VirtualWaitSet: WaitSet {
  private unowned let poller: VirtualPoller
  private var registrations: [CInt: Registration] = [:]
  private var order: [CInt] = []
  private var alarms: [RunLoop.TimerClock: UInt64] = [:]

  private struct Registration {
    let bits: UInt32
    let token: UInt64
    /// Which change of the readiness was reported last: an edge is told once.
    var reportedChange = 0
  }

  init(poller: VirtualPoller) { self.poller = poller }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    guard registrations[descriptor] == nil else { throw .exists }
    registrations[descriptor] = Registration(bits: bits, token: token)
    order.append(descriptor)
  }

  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    guard registrations[descriptor] != nil else { throw .notThere }
    registrations[descriptor] = Registration(bits: bits, token: token)
  }

  func remove(_ descriptor: CInt) throws(KernelError) {
    guard registrations.removeValue(forKey: descriptor) != nil else { throw .notThere }
    order.removeAll { $0 == descriptor }
  }

  func setAlarm(on clock: RunLoop.TimerClock, at date: UInt64?) throws(KernelError) { alarms[clock] = date }

  func noteRing(of token: UInt64) {}

  func wait(_ limit: WaitLimit, into events: inout ReadyEvents) {
    events.removeAll()
    poller.wait(limit, alarms: alarms) { order.contains { readyBits(of: $0) != 0 } }
    for descriptor in order {
      let bits = readyBits(of: descriptor)
      guard bits != 0, let registration = registrations[descriptor] else { continue }
      registrations[descriptor]?.reportedChange = poller.readiness(of: descriptor).change
      events.append(token: registration.token, bits: bits)
    }
  }

  private func readyBits(of descriptor: CInt) -> UInt32 {
    guard let registration = registrations[descriptor] else { return 0 }
    let (ready, change) = poller.readiness(of: descriptor)
    if registration.bits & EpollBits.edgeTriggered != 0, registration.reportedChange == change { return 0 }
    // Reading and the other side's end have a bit each here; asking for the one asks for both.
    let asked = ready.epollBits & registration.bits & ~EpollBits.peerHangUp
    return asked | (ready.contains(.error) ? EpollBits.error : 0)
      | (ready.contains(.hangUp) ? EpollBits.hangUp : 0)
  }
}
