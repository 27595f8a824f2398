import CLinuxKernel
import Glibc

/// A timerfd: readable from a date on, to the kernel's precision however far away the date is.
///
/// To be watched edge-triggered and never read: setting it anew takes back that it rang.
package struct AlarmDescriptor: ~Copyable, Sendable {
  /// The clocks that an alarm can be on.
  package enum Clock: Sendable, CaseIterable {
    /// CLOCK_MONOTONIC.
    case monotonic
    /// CLOCK_BOOTTIME: a date that passed while the machine was suspended rings when it resumes.
    case boot
    /// CLOCK_REALTIME: also rings when the clock is set, whatever the date.
    case wall
  }

  private let descriptor: OwnedDescriptor
  private let clock: Clock
  package var number: CInt { descriptor.number }

  package init(on clock: Clock) throws(KernelError) {
    let id =
      switch clock {
      case .monotonic: CLOCK_MONOTONIC
      case .boot: CLOCK_BOOTTIME
      case .wall: CLOCK_REALTIME
      }
    let number = timerfd_create(CInt(id), CInt(MS_TFD_CLOEXEC) | CInt(MS_TFD_NONBLOCK))
    guard number >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: number)
    self.clock = clock
  }

  /// Rings at the date (ns on its clock), at once if that has passed; nil never.
  package func set(_ date: UInt64?) {
    guard !descriptor.isInherited else { return }
    var flags = CInt(MS_TFD_TIMER_ABSTIME)
    if clock == .wall { flags |= CInt(MS_TFD_TIMER_CANCEL_ON_SET) }
    // A date of zero would disarm; the first nanosecond has passed as well.
    let time = itimerspec(
      it_interval: timespec(), it_value: timespec(nanoseconds: date.map { max(1, $0) } ?? 0))
    var setting = time
    // SAFETY: the call reads one itimerspec, which outlives it.
    let result = unsafe timerfd_settime(descriptor.number, flags, &setting, nil)
    // ECANCELED: the wall clock was set since the last setting; this one holds, by the clock as it is now.
    require(
      result == 0 || errno == ECANCELED, "a timer descriptor refuses \(date ?? 0): \(KernelError.current)")
  }
}
