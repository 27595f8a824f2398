extension RunLoop.HostedLoop {
  /// What a foreign loop is to be waited for: filled by `prepare` before each sleep.
  public struct Wait: Sendable {
    /// Nothing yet: a wait that ends for others alone.
    public init() {}

    private(set) var descriptors: [CInt: RunLoop.Readiness] = [:]
    private(set) var date: RunLoop.Instant?
    private(set) var hasWork = false

    /// The wait ends when the descriptor is ready for that. Asked for several times, for all of it.
    ///
    /// Files that cannot be waited for are always ready; of a number that is not open `.closed` or `.error` is told. An
    /// error or a hang-up ends the wait in any case: with an empty set, or one of these two, nothing else does.
    public mutating func watch(_ descriptor: CInt, for readiness: RunLoop.Readiness) {
      descriptors[descriptor, default: []].formUnion(readiness)
    }

    /// What a descriptor's source is to be told of. With no interest it would not be in the kernel's set and hear of no
    /// end: urgent data is what nearly no descriptor ever has.
    static func interest(for readiness: RunLoop.Readiness) -> RunLoop.Readiness {
      let askable = readiness.intersection(.askable)
      return askable.isEmpty ? .priority : askable
    }

    /// The wait ends at the date; of several dates, at the first.
    public mutating func end(at newDate: RunLoop.Instant) { date = min(date ?? newDate, newDate) }

    /// The wait ends after so many milliseconds from now, as `poll` counts: zero is at once, and below zero never.
    public mutating func end(afterPolling milliseconds: Int) {
      if milliseconds == 0 { hasWork = true }
      if milliseconds > 0 { end(at: .now.advanced(by: .milliseconds(milliseconds))) }
    }

    /// There is something to dispatch already, and the loop is not to sleep.
    public mutating func endAtOnce() { hasWork = true }
  }
}
