import CLinuxKernel
import Glibc

/// A signalfd: readable while one of its signals waits for the process, or for the thread that asks.
package struct SignalDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  package var number: CInt { descriptor.number }

  /// The signals are to be blocked on every thread: one that lets them through takes them as if this were not there.
  package init(_ signals: SignalSet) throws(KernelError) {
    var bits = signals.bits
    // SAFETY: reads the eight bytes of the mask, which outlives the call.
    let number = unsafe ms_signalfd(&bits)
    guard number >= 0 else { throw KernelError(-number) }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// Takes the signal that is next; nil if none waits.
  package func take() -> SignalRecord? {
    var info = ms_signal()
    // SAFETY: writes at most one record, which outlives the call.
    let count = unsafe read(descriptor.number, &info, MemoryLayout<ms_signal>.size)
    return count == MemoryLayout<ms_signal>.size ? SignalRecord(info) : nil
  }
}

/// A signal that was taken, as the kernel describes it.
package struct SignalRecord: Hashable, Sendable {
  package var number: CInt
  /// What sent it (`SI_USER` and so on), or for some signals why.
  package var code: CInt
  package var process: CInt
  package var user: UInt32
  package var value: CInt
  /// Further expirations of a POSIX timer that this one stands for.
  package var overrun: UInt32

  package init(
    number: CInt, code: CInt = 0, process: CInt = 0, user: UInt32 = 0, value: CInt = 0, overrun: UInt32 = 0
  ) {
    self.number = number
    self.code = code
    self.process = process
    self.user = user
    self.value = value
    self.overrun = overrun
  }

  fileprivate init(_ info: ms_signal) {
    self.init(
      number: CInt(bitPattern: info.number), code: info.code, process: CInt(bitPattern: info.process),
      user: info.user, value: info.value, overrun: info.overrun)
  }
}

extension SignalRecord {
  /// Sent by a process, or of a child, which is then meant: the kernel fills in who it is.
  package var isFromProcess: Bool {
    [SI_USER, SI_QUEUE, SI_TKILL].contains(Int(code)) || number == SIGCHLD && code > 0
  }

  /// Sent with a value of the program's.
  package var hasValue: Bool { [SI_QUEUE, SI_TIMER, SI_MESGQ].contains(Int(code)) }
}
