import CProcess
import Glibc

/// Very many descriptors that are ready at once.
struct ScaleDescriptors: SharedScenario {
  let name = "scale-descriptors"
  let title = "1,000 eventfds, all ready at once: passes, and processor time for each"
  let rules = Rules(3, cf: [24])

  private static let count = 1_000

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    var limit = rlimit()
    // SAFETY: the calls read and write one rlimit.
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let loop = Loop.current
    let mode = Loop.mode("of descriptors")
    let (handled, passes) = (Shared(0), Shared(0))
    loop.keepAlive(mode)
    let counters = (0..<Self.count).map { _ in process_eventfd() }
    for counter in counters {
      loop.addReadable(counter, to: mode) {
        var value: UInt64 = 0
        // SAFETY: the call writes the eight bytes of `value`. CFRunLoop has read them itself.
        _ = unsafe read(counter, &value, 8)
        handled.change { $0 += 1 }
      }
    }
    loop.addObserver(of: .beforeTimers, to: mode) { passes.change { $0 += 1 } }
    var one: UInt64 = 1
    // SAFETY: the call reads the eight bytes of `one`.
    for counter in counters { _ = unsafe write(counter, &one, 8) }
    let cost = ProcessFigures.processorMicroseconds(perOneOf: Self.count) {
      while handled.value < Self.count { loop.run(in: mode, for: .milliseconds(1)) }
    }
    notes.note("event_us", cost)
    notes.note("passes", passes.value)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let passes = Int(try facts.number("passes"))
    let cost = try facts.number("event_us")
    return Finding("\(passes) passes, \(microseconds(cost))", isRight: passes < Self.count / 10, cost: cost)
  }
}
