import LinuxKernel
import Mainspring

/// The kernel's set, and alarms that are the kernel's only while time goes on.
final class JumpingWaitSet: WaitSet {
  private let kernelSet: any WaitSet
  private unowned let poller: JumpingPoller
  private var alarms: [RunLoop.TimerClock: UInt64] = [:]

  init(_ kernelSet: any WaitSet, poller: JumpingPoller) {
    self.kernelSet = kernelSet
    self.poller = poller
  }

  var number: CInt? { kernelSet.number }

  func add(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try kernelSet.add(descriptor, bits: bits, token: token)
  }

  func modify(_ descriptor: CInt, bits: UInt32, token: UInt64) throws(KernelError) {
    try kernelSet.modify(descriptor, bits: bits, token: token)
  }

  func remove(_ descriptor: CInt) throws(KernelError) { try kernelSet.remove(descriptor) }

  func setAlarm(on clock: RunLoop.TimerClock, at date: UInt64?) throws(KernelError) {
    alarms[clock] = date
    if !poller.isFrozen || date == nil { try kernelSet.setAlarm(on: clock, at: date.map(poller.kernelDate)) }
  }

  func noteRing(of token: UInt64) { kernelSet.noteRing(of: token) }

  func wait(_ limit: WaitLimit, into events: inout ReadyEvents) {
    for clock in alarms.keys {
      // One that cannot be set is told where it was asked for.
      try? kernelSet.setAlarm(on: clock, at: poller.isFrozen ? nil : alarms[clock].map(poller.kernelDate))
    }
    guard poller.isFrozen else { return kernelSet.wait(poller.kernelLimit(limit), into: &events) }
    poller.wait(limit, alarms: alarms) {
      kernelSet.wait($0, into: &events)
      return events.count > 0
    }
  }
}
