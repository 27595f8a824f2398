import Glibc
import Mainspring

/// Whether a timer is served when it is due: what it missed, and whose fault that was.
///
/// A date that has passed counts against the loop where it was slept over: where the loop, or its host, slept on for
/// longer than an interval though the date had come, and neither waited for a processor nor used one. On the loop's thread
/// alone.
final class Punctuality {
  private let interval: Duration
  private(set) var fires = 0
  private(set) var missed = 0
  private(set) var sleptOver = 0
  private(set) var latest = Duration.zero
  private var due: RunLoop.Instant
  private var sleep: (begin: RunLoop.Instant, used: Duration)?

  init(every interval: Duration, from start: RunLoop.Instant) {
    self.interval = interval
    due = start.advanced(by: interval)
  }

  func fired(at now: RunLoop.Instant) {
    fires += 1
    let late = due.duration(to: now)
    latest = max(latest, late)
    let passed = Int(late / interval)
    missed += passed
    due = due.advanced(by: interval * (passed + 1))
  }

  func goesToSleep(at now: RunLoop.Instant) { sleep = (now, Self.timeUsed()) }

  func wakes(at now: RunLoop.Instant) {
    guard let sleep else { return }
    self.sleep = nil
    let over = max(due, sleep.begin).duration(to: now) - (Self.timeUsed() - sleep.used)
    if over >= interval { sleptOver += 1 }
  }

  /// How long the thread has run, or has waited for a processor.
  private static func timeUsed() -> Duration {
    // Two numbers, ns, and a third.
    guard let file = unsafe fopen("/proc/thread-self/schedstat", "r") else { return .zero }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard unsafe fgets(&line, CInt(line.count), file) != nil else { return .zero }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let numbers = text.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap { Int64($0) }
    return numbers.count < 2 ? .zero : .nanoseconds(numbers[0] + numbers[1])
  }
}
