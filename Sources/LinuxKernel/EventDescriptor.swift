import CLinuxKernel
import Glibc

/// An eventfd: a counter that is readable while it is not zero.
package struct EventDescriptor: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  package var number: CInt { descriptor.number }

  package init() throws(KernelError) {
    let number = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
    guard number >= 0 else { throw .current }
    descriptor = OwnedDescriptor(adopting: number)
  }

  package consuming func release() -> CInt { descriptor.release() }

  /// Takes the counter back to zero.
  package func silence() {
    var count: UInt64 = 0
    // SAFETY: reads eight bytes into `count`, which outlives the call.
    _ = unsafe read(descriptor.number, &count, 8)
  }

  /// Takes the counter behind a descriptor number back to zero; says whether it was not.
  package static func take(_ number: CInt) -> Bool {
    var count: UInt64 = 0
    // SAFETY: reads eight bytes into `count`, which outlives the call.
    return unsafe read(number, &count, 8) == 8
  }

  /// Adds one to the counter behind a descriptor number. Cannot block: it takes 2⁶⁴ − 2 rings to fill it.
  package static func ring(_ number: CInt) {
    var one: UInt64 = 1
    // SAFETY: writes the eight bytes of `one`, which outlives the call.
    _ = unsafe write(number, &one, 8)
  }
}
