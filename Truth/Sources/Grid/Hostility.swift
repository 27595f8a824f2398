/// What is done to the process or the machine while a cell is injected.
public enum Hostility: Sendable, Equatable {
  /// So many other processes that do nothing but spin.
  case hogs(Int)
  /// The process is stopped for so long, ns, during each injection.
  case stop(UInt64)
  /// The process is let run and stopped in turn, as a quota of processor time does.
  case throttle(run: UInt64, stop: UInt64)
  /// A tracer stops every thread for so long, ns, during each injection.
  case trace(UInt64)
  /// Another thread forks all the time.
  case fork
  /// Signals with a handler of the program's come to the watched thread all the time.
  case signals(restarts: Bool)
  /// Threads come and go.
  case threads
  /// So many threads that sleep.
  case crowd(Int)
  /// Another thread loads and unloads libraries.
  case libraries
  /// Other threads throw C++ exceptions and Swift errors.
  case exceptions
  /// Another thread allocates and frees without end.
  case allocations

  /// How each is written, for the documentation and for messages.
  public static let spellings = [
    "hog[:COUNT]", "stop[:TIME]", "throttle[:RUN/STOP]", "trace[:TIME]", "fork", "signals[:restart]",
    "threads",
    "crowd[:COUNT]", "libraries", "exceptions", "allocations",
  ]

  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let argument = parts.count == 2 ? parts[1] : nil
    func count(_ standard: Int) -> Int? { argument.map { Int($0) } ?? standard }
    func time(_ text: (some StringProtocol)?, _ standard: UInt64) -> UInt64? {
      guard let text else { return standard }
      return Length(text).flatMap { $0.thresholds == 0 ? $0.resolved(threshold: 0) : nil }
    }
    switch (parts[0], argument) {
    case ("hog", _):
      guard let count = count(1), (1...64).contains(count) else { return nil }
      self = .hogs(count)
    case ("stop", _):
      guard let time = time(argument, 300_000_000) else { return nil }
      self = .stop(time)
    case ("trace", _):
      guard let time = time(argument, 200_000_000) else { return nil }
      self = .trace(time)
    case ("throttle", _):
      let times = (argument ?? "10ms/40ms").split(separator: "/")
      guard times.count == 2, let run = time(times[0], 0), let stop = time(times[1], 0), run > 0 else {
        return nil
      }
      self = .throttle(run: run, stop: stop)
    case ("crowd", _):
      guard let count = count(200), (1...2000).contains(count) else { return nil }
      self = .crowd(count)
    case ("signals", nil): self = .signals(restarts: false)
    case ("signals", "restart"): self = .signals(restarts: true)
    case ("fork", nil): self = .fork
    case ("threads", nil): self = .threads
    case ("libraries", nil): self = .libraries
    case ("exceptions", nil): self = .exceptions
    case ("allocations", nil): self = .allocations
    default: return nil
    }
  }
}
