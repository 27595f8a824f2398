import CLinuxKernel
import Foundation
import StallMonitor
import Synchronization
import Testing

/// Threads that sleep again and again while they are sampled: none may see that it was interrupted.
@Suite(.serialized, .answersSignals) struct CaptureInterruptionTests {
  private static let sampleCount = 300

  /// Samples a thread that repeats a short sleep; the sleep answers 0 or an error number.
  private func expectNoInterruption(
    sourceLocation: SourceLocation = #_sourceLocation, _ sleep: @escaping @Sendable () -> CInt
  ) throws {
    let interruptions = Counter()
    let sleeps = Counter()
    let thread = TargetThread { control in
      control.arrive()
      while !control.mustEnd {
        if sleep() == EINTR { interruptions.increment() }
        sleeps.increment()
      }
    }
    let sampler = try StackSampler()
    var signals = 0
    for _ in 0..<Self.sampleCount {
      let sample = try sampler.sample(thread: thread.number, timeout: .seconds(10))
      if sample.method == .signal { signals += 1 }
    }
    thread.finish()
    #expect(signals > 0, sourceLocation: sourceLocation)
    #expect(
      interruptions.value == 0, "\(interruptions.value) of \(sleeps.value) sleeps, \(signals) signals",
      sourceLocation: sourceLocation)
  }

  @Test func `poll sees no EINTR`() throws {
    try expectNoInterruption { poll(nil, 0, 2) < 0 ? errno : 0 }
  }

  @Test func `nanosleep sees no EINTR`() throws {
    try expectNoInterruption {
      var span = timespec(tv_sec: 0, tv_nsec: 2_000_000)
      // SAFETY: reads one timespec, which outlives the call.
      return unsafe nanosleep(&span, nil) < 0 ? errno : 0
    }
  }

  @Test func `epoll_wait sees no EINTR`() throws {
    let set = epoll_create1(0)
    defer { _ = close(set) }
    try expectNoInterruption {
      var event = unsafe epoll_event()
      // SAFETY: writes at most one event, which outlives the call.
      return unsafe epoll_wait(set, &event, 1, 2) < 0 ? errno : 0
    }
  }

  @Test func `select sees no EINTR`() throws {
    try expectNoInterruption {
      var span = timeval(tv_sec: 0, tv_usec: 2000)
      // SAFETY: reads one timeval, which outlives the call.
      return unsafe select(0, nil, nil, nil, &span) < 0 ? errno : 0
    }
  }

  @Test func `a timed wait for a semaphore sees no EINTR`() throws {
    try expectNoInterruption {
      var semaphore = sem_t()
      var deadline = timespec()
      // SAFETY: the semaphore and the deadline outlive the calls.
      unsafe sem_init(&semaphore, 0, 0)
      unsafe clock_gettime(CLOCK_REALTIME, &deadline)
      deadline.tv_nsec = min(deadline.tv_nsec + 2_000_000, 999_999_999)
      return unsafe sem_timedwait(&semaphore, &deadline) < 0 ? errno : 0
    }
  }
}

/// Counts from any thread.
private final class Counter: Sendable {
  private let count = Atomic(0)
  func increment() { count.add(1, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}
