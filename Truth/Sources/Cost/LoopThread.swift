import CCost
import Glibc
import Mainspring

/// A loop on a thread of its own, whose passes are measured on it.
final class LoopThread: Sendable {
  struct Measured: Sendable {
    /// Of one pass.
    var nanoseconds: Double
    /// Of all of them.
    var allocations: UInt64
  }

  private let thread: RunLoopThread
  var loop: RunLoop { thread.loop }

  init(named name: String) throws { thread = try RunLoopThread(named: name) }

  /// A source that signals itself: each signal is a pass that finds work and does not wait.
  func busyPasses(_ count: Int) throws -> Measured {
    try measure(count) { loop in
      let countdown = Countdown(count)
      let source = RunLoop.Source { source in
        if countdown.isOver { loop.stop() } else { source.signal() }
      }
      loop.add(source, to: .measured)
      source.signal()
      return source
    }
  }

  /// A timer that beats every few microseconds: each beat is a wait and a pass.
  func waitingPasses(_ count: Int) throws -> Measured {
    try measure(count) { loop in
      let countdown = Countdown(count)
      let timer = RunLoop.Timer(every: .microseconds(20)) { timer in
        if countdown.isOver { loop.stop() }
      }
      loop.add(timer, to: .measured)
      return timer
    }
  }

  private func measure(_ count: Int, _ prepare: @escaping @Sendable (RunLoop) -> RunLoop.Item) throws
    -> Measured
  {
    let loop = loop
    return try thread.performAndWait {
      let item = prepare(loop)
      defer { item.invalidate() }
      let (before, start) = (cost_allocations_of_this_thread(), Self.time)
      loop.run(in: .measured, for: .seconds(60))
      let (end, after) = (Self.time, cost_allocations_of_this_thread())
      return Measured(nanoseconds: Double(end - start) / Double(count), allocations: after - before)
    }
  }

  /// The thread's own processor time, ns: neither what it waits for nor what others run in between.
  private static var time: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  func end() { thread.stop() }
}

extension RunLoop.Mode {
  static let measured = RunLoop.Mode("measured")
}

/// Counts down on one thread.
private final class Countdown: @unchecked Sendable {
  private var left: Int
  init(_ count: Int) { left = count }

  var isOver: Bool {
    left -= 1
    return left <= 0
  }
}
