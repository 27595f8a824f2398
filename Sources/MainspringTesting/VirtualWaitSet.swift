import LinuxKernel
import Mainspring

/// Registrations with scripted readiness: level-triggered as the kernel's, errors reported unasked.
final class VirtualWaitSet: WaitSet {
  private unowned let poller: VirtualPoller
  private var registrations: [CInt: (bits: UInt32, token: UInt64)] = [:]
  private var order: [CInt] = []

  init(poller: VirtualPoller) { self.poller = poller }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    guard registrations[descriptor] == nil else { throw .exists }
    registrations[descriptor] = (bits, token)
    order.append(descriptor)
  }

  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    guard registrations[descriptor] != nil else { throw .notThere }
    registrations[descriptor] = (bits, token)
  }

  func remove(_ descriptor: CInt) throws(KernelError) {
    guard registrations.removeValue(forKey: descriptor) != nil else { throw .notThere }
    order.removeAll { $0 == descriptor }
  }

  func wait(_ limit: WaitLimit, report: (_ token: UInt64, _ bits: UInt32) -> Void) {
    poller.wait(limit) { order.contains { readyBits(of: $0) != 0 } }
    for descriptor in order {
      let bits = readyBits(of: descriptor)
      if bits != 0, let registration = registrations[descriptor] { report(registration.token, bits) }
    }
  }

  private func readyBits(of descriptor: CInt) -> UInt32 {
    guard let registration = registrations[descriptor] else { return 0 }
    let ready = poller.readiness(of: descriptor)
    let asked = ready.epollBits & registration.bits
    return asked | (ready.contains(.error) ? EpollBits.error : 0)
      | (ready.contains(.hangUp) ? EpollBits.hangUp : 0)
  }
}
