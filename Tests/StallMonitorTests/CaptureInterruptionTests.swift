import CCaptureCalls
import CStackCapture
import Glibc
import LinuxKernel
import Synchronization
import Testing

@testable import StallMonitor

/// Threads that sleep again and again under a storm of signals: none may see that it was interrupted.
@Suite(.serialized, .answersSignals) struct CaptureInterruptionTests {
  private static let roundCount = 100

  struct Way: Sendable, CustomTestStringConvertible {
    let number: CInt
    // SAFETY: a text that is part of the program.
    var isInLibrary: Bool { !testDescription.hasPrefix("futex") }
    var testDescription: String { unsafe String(cString: test_wait_name(number)) }
  }

  static let ways = (0..<test_wait_count()).map { Way(number: $0) }

  @Test(arguments: ways) func `no wait sees EINTR`(way: Way) throws {
    let seen = Counter()
    let waits = Counter()
    let error = Counter()
    let thread = TargetThread { control in
      blockForWaiting()
      control.arrive()
      while !control.mustEnd {
        let result = test_wait_once(way.number)
        if result != 0 {
          seen.increment()
          error.set(Int(result))
        }
        waits.increment()
      }
    }
    let sampler = try StackSampler()
    let slot = try CaptureSlot()
    var restarted = 0
    for round in 0..<Self.roundCount {
      // Some in a row, then none until a wait has come to its end: one that is given as a span begins anew each time.
      for _ in 0...(round % 4) {
        // Not looked at before, as is one that has only just begun to wait: known by its place in the C library. Elsewhere
        // by its code, until a look has shown what is called there.
        let isBlind = way.isInLibrary ? round % 2 == 1 : round < Self.roundCount / 2
        if try sampler.interrupt(thread.number, isBlind: isBlind, with: slot) { restarted += 1 }
      }
      let count = waits.value
      while waits.value == count { sched_yield() }
    }
    thread.finish()
    #expect(
      seen.value == 0,
      "\(seen.value) of \(waits.value) waits saw error \(error.value); \(restarted) restarted")
    print("\(way.testDescription): \(waits.value) waits, \(restarted) restarted")
  }

  /// What sigtimedwait takes must be blocked.
  private func blockForWaiting() { setSignalMask(blocking: [SIGUSR2]) }
}

extension StackSampler {
  /// Interrupts a thread whatever it does; says whether a call of it was issued again.
  fileprivate func interrupt(_ thread: Int32, isBlind: Bool, with slot: CaptureSlot) throws -> Bool {
    // A thread that has just begun may have all signals blocked for a moment.
    var answer = request(try ThreadLook(thread))
    while answer == nil { answer = request(try ThreadLook(thread)) }
    var request = answer!
    if isBlind { request.call_number = -1 }
    try slot.begin(request)
    return try slot.end(by: .max).didRestartCall
  }
}

/// Counts from any thread.
private final class Counter: Sendable {
  private let count = Atomic(0)
  func increment() { count.add(1, ordering: .relaxed) }
  func set(_ value: Int) { count.store(value, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}
