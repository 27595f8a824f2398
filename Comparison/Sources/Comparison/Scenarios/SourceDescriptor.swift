import CProcess
import Glibc

/// Descriptors as sources: what reaches the reader, how often it is told, and two sources on one descriptor.
struct SourceDescriptor: SharedScenario {
  let name = "source1-fd"
  let title = "a pipe with 24 bytes, one that is not read for 50 ms, and one eventfd with two sources"
  let rules = Rules(28, cf: [51, 52, 53])

  private static let sent = 24

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    loop.keepAlive(Loop.defaultMode)
    notes.note("bytes_read", bytesRead(loop))
    notes.note("calls_unread", callsUnread(loop))
    let both = callsOfBoth(loop)
    notes.note("calls_first", both.first)
    notes.note("calls_second", both.second)
  }

  private func bytesRead<Loop: ComparedLoop>(_ loop: Loop) -> Int {
    let pipe = filledPipe()
    let count = Shared(0)
    let source = loop.addReadable(pipe, to: Loop.defaultMode) {
      var bytes = [UInt8](repeating: 0, count: 64)
      // SAFETY: the call writes at most as many bytes as the array has.
      count.value += max(0, unsafe read(pipe, &bytes, bytes.count))
    }
    loop.run(in: Loop.defaultMode, for: .milliseconds(50))
    source.invalidate()
    return count.value
  }

  private func callsUnread<Loop: ComparedLoop>(_ loop: Loop) -> Int {
    let count = Shared(0)
    let source = loop.addReadable(filledPipe(), to: Loop.defaultMode) { count.change { $0 += 1 } }
    loop.run(in: Loop.defaultMode, for: .milliseconds(50))
    source.invalidate()
    return count.value
  }

  private func callsOfBoth<Loop: ComparedLoop>(_ loop: Loop) -> (first: Int, second: Int) {
    let (first, second) = (Shared(0), Shared(0))
    let counter = process_eventfd()
    loop.addReadable(counter, to: Loop.defaultMode) { first.change { $0 += 1 } }
    loop.addReadable(counter, to: Loop.defaultMode) { second.change { $0 += 1 } }
    var one: UInt64 = 1
    // SAFETY: the call reads the eight bytes of `one`.
    _ = unsafe write(counter, &one, 8)
    loop.run(in: Loop.defaultMode, for: .milliseconds(20))
    return (first.value, second.value)
  }

  private func filledPipe() -> CInt {
    var ends: [CInt] = [-1, -1]
    // SAFETY: the call writes two numbers; the array has two.
    let isMade = unsafe process_pipe(&ends) == 0
    precondition(isMade, "no pipe to be had: \(errno)")
    // SAFETY: the call reads the array.
    _ = unsafe write(ends[1], [UInt8](repeating: 1, count: Self.sent), Self.sent)
    return ends[0]
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let read = Int(try facts.number("bytes_read"))
    let calls = Int(try facts.number("calls_unread"))
    let (first, second) = (Int(try facts.number("calls_first")), Int(try facts.number("calls_second")))
    return Finding(
      "\(read) of \(Self.sent) bytes reached the reader; told \(calls == 1 ? "once" : "as long as it lasts"); "
        + (first > 0 && second > 0 ? "both sources called" : "one of the two sources called"),
      isRight: read == Self.sent && calls > 1 && first > 0 && second > 0)
  }
}
