extension RunLoop {
  /// One fire of a repeating timer.
  public struct Tick: Hashable, Sendable {
    /// How many intervals after the timer was made it was due, the first 1. Numbers that are left out were missed: the loop
    /// was busy at the time, or nobody took the tick before the next.
    public let number: UInt64
    /// When it was due, on the monotonic clock.
    public let date: Instant
  }

  /// The fires of a timer that repeats, for a task. Any thread.
  ///
  /// Nothing is kept but the latest tick: who comes late gets that, and sees by its number how many there were before it.
  ///
  /// - Parameters:
  ///   - interval: what lies between two; the grid never drifts. Below one nanosecond it counts as one.
  ///   - tolerance: how much later than its date each may be, at most half the interval.
  ///   - mode: where the loop has to run for the timer to fire.
  /// - Complexity: a timer's.
  public func ticks(
    every interval: Duration, tolerance: Duration = .zero, in mode: Mode = .common,
    file: StaticString = #fileID, line: UInt = #line
  ) -> EventStream<Tick> {
    let (tap, stream) = EventTap<Tick>.make(keeping: .bufferingNewest(1))
    let length = UInt64(max(1, interval.saturatingNanoseconds))
    let begin = now
    let timer = Timer(
      every: interval, first: begin.advanced(by: interval), tolerance: tolerance, file: file, line: line
    ) { timer in
      guard let date = timer.fireDate else { return }
      let passed = UInt64(clamping: begin.duration(to: date).saturatingNanoseconds)
      tap.put(Tick(number: passed / length, date: date))
    }
    tap.serve(timer)
    add(timer, to: mode)
    return stream
  }
}
