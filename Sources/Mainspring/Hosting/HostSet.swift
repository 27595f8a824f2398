import LinuxKernel

/// The one descriptor that a host watches: readable while the loop behind it has something to do.
///
/// An epoll set over three things: the bell, edge-triggered; an alarm for the loop's next date, which also stands for
/// "at once"; and the set of the mode's descriptors, while there is one. It is never waited on by the loop, whose mode may
/// get another set at any time while the host's descriptor stays what it is.
///
/// Only on the loop's thread.
final class HostSet {
  private let epoll: EpollSet
  private let alarm: AlarmDescriptor
  /// What the alarm is set to.
  private var date: UInt64?
  /// The mode's set that is in this one. It is kept, so that its number is no other's.
  private var watched: (any WaitSet)?
  private var events = ReadyEvents(capacity: 4)

  init(bell: borrowing KernelBell) throws(KernelError) {
    epoll = try EpollSet()
    alarm = try AlarmDescriptor(on: .monotonic)
    try epoll.add(bell.makeDescriptor(), bits: EpollBits.read | EpollBits.edgeTriggered, token: 0)
    try epoll.add(alarm.number, bits: EpollBits.read, token: 0)
  }

  /// The descriptor's number.
  var number: CInt { epoll.number }

  /// Takes the bell's rings up to now: they do not keep the descriptor readable any more.
  func takeRings() { epoll.look(into: &events) }

  /// Puts the set of the mode's descriptors, if there is one, in the place of the one before.
  func watch(_ set: (any WaitSet)?) throws(KernelError) {
    guard set !== watched else { return }
    if let number = watched?.number { try? epoll.remove(number) }
    watched = nil
    if let number = set?.number { try epoll.add(number, bits: EpollBits.read, token: 0) }
    watched = set
  }

  /// Readable from the date on (ns, monotonic), and until it is set anew; nil never by itself.
  func setAlarm(_ newDate: UInt64?) {
    if newDate == date { return }
    alarm.set(newDate)
    date = newDate
  }

  /// Readable at once, also to a host that waits for an edge, and until the alarm is set anew.
  func ring() {
    alarm.set(Self.past)
    date = Self.past
  }

  /// Readable for nothing more that is known; the number is nobody else's as long as this object is.
  func retire() {
    try? watch(nil)
    takeRings()
    setAlarm(nil)
  }

  private static let past: UInt64 = 1
}
