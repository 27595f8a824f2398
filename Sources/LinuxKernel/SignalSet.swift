// For the types of sets, as in `NativeThread`.
import CLinuxKernel
import Glibc

/// A set of signals, by their numbers.
package struct SignalSet: Hashable, Sendable {
  /// As the kernel lays it out: signal 1 is the lowest bit.
  package private(set) var bits: UInt64

  /// The highest number there is.
  package static let last: CInt = 64

  /// Those that nobody can take from a descriptor: two cannot be blocked, two are the C library's, and a fault that raises
  /// one of the others while it is blocked ends the process on the spot.
  package static let untakeable = SignalSet([
    SIGKILL, SIGSTOP, 32, 33, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
  ])

  package init(_ numbers: some Sequence<CInt> = []) {
    bits = 0
    for number in numbers { insert(number) }
  }

  init(_ set: sigset_t) {
    self.init()
    for number in 1...Self.last {
      var set = set
      // SAFETY: reads one set, which outlives the call.
      if unsafe sigismember(&set, number) == 1 { insert(number) }
    }
  }

  package mutating func insert(_ number: CInt) {
    require((1...Self.last).contains(number), "there is no signal \(number)")
    bits |= 1 << UInt64(number - 1)
  }

  package func contains(_ number: CInt) -> Bool {
    (1...Self.last).contains(number) && bits >> UInt64(number - 1) & 1 != 0
  }

  package var isEmpty: Bool { bits == 0 }

  /// In ascending order.
  package var numbers: [CInt] { (1...Self.last).filter(contains) }

  package func subtracting(_ other: SignalSet) -> SignalSet {
    var left = self
    left.bits &= ~other.bits
    return left
  }

  package func intersection(_ other: SignalSet) -> SignalSet {
    var common = self
    common.bits &= other.bits
    return common
  }

  var systemSet: sigset_t {
    var set = sigset_t()
    // SAFETY: writes one set, which outlives the calls.
    unsafe sigemptyset(&set)
    for number in numbers { unsafe sigaddset(&set, number) }
    return set
  }
}
