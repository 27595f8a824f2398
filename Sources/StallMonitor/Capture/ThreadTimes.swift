internal import LinuxKernel
internal import Symbols

/// What the scheduler has counted for a thread of this process since it began.
///
/// Two readings tell what it did between them: its processor time grew, so it was busy; its runnable time
/// grew, so it waited for a processor; neither did, so it slept.
package struct ThreadTimes: Sendable, Equatable {
  /// Time on a processor.
  package var cpuNanoseconds: UInt64
  /// Time ready to run, but without a processor.
  package var runnableNanoseconds: UInt64
  /// How often it went to sleep by itself.
  package var voluntarySwitches: UInt64
  /// How often it lost the processor to another.
  package var involuntarySwitches: UInt64

  /// Reads them; nil if there is no such thread. 6 to 18 µs.
  package init?(thread: Int32) {
    guard let status = ThreadStatus(thread: thread) else { return nil }
    self.init(thread: thread, status: status)
  }

  /// Reads the times of a thread whose status is known.
  package init?(thread: Int32, status: ThreadStatus) {
    guard let text = ThreadFile.read("schedstat", of: thread) else { return nil }
    self.init(parsing: text, status: status)
    // The file knows a running thread's time up to the last tick only.
    if let exact = ThreadClock.processorTime(ofThread: thread) { cpuNanoseconds = max(cpuNanoseconds, exact) }
  }

  /// The time that a thread was ready to run without a processor, ns; nil if there is no such thread. 3 to 9 µs.
  package static func queuedNanoseconds(thread: Int32) -> UInt64? {
    guard let text = ThreadFile.read("schedstat", of: thread) else { return nil }
    var scanner = TextScanner(text[...])
    guard scanner.decimal() != nil, scanner.skip(" ") else { return nil }
    return scanner.decimal()
  }

  package init?(parsing schedstat: [UInt8], status: ThreadStatus) {
    var scanner = TextScanner(schedstat[...])
    guard let cpu = scanner.decimal(), scanner.skip(" "), let runnable = scanner.decimal() else { return nil }
    cpuNanoseconds = cpu
    runnableNanoseconds = runnable
    voluntarySwitches = status.voluntarySwitches
    involuntarySwitches = status.involuntarySwitches
  }
}
