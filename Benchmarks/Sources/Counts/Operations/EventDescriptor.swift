import CCounts
import Glibc

/// A descriptor that is readable while what was written to it was not read.
final class EventDescriptor: Sendable {
  let number = counts_eventfd()

  init() { precondition(number >= 0, "no descriptor: error \(errno)") }

  deinit { close(number) }

  func write() {
    var one: UInt64 = 1
    // SAFETY: writes the eight bytes of the number.
    let count = unsafe Glibc.write(number, &one, 8)
    precondition(count == 8, "an event was not written: error \(errno)")
  }

  func read() {
    var value: UInt64 = 0
    // SAFETY: reads the eight bytes of the number.
    let count = unsafe Glibc.read(number, &value, 8)
    precondition(count == 8 && value == 1, "\(value) events were read: error \(errno)")
  }
}
