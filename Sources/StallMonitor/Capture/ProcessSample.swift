/// What the threads of the process were doing at one moment.
package struct ProcessSample: Sendable {
  /// One thread.
  package struct Thread: Sendable {
    package var number: Int32
    /// As tools show it: at most 15 bytes.
    package var name: String
    /// As /proc writes it: R runs, S sleeps, …
    package var state: Character
    package var times: ThreadTimes?
    /// Processor time since `noteTimes` or since it began; nil if nothing was noted.
    package var cpuSinceNote: Duration?
    package var systemCall: SystemCall
    package var waitChannel: String?
    package var waitsFor: WaitTarget?
    /// Nil if none could be taken.
    package var stack: StackSample?
    /// It had not moved since its stack was taken earlier, so that this is the same.
    package var isUnmoved = false
    /// Why there is no stack.
    package var failure: CaptureError?
  }

  /// The number of the stalled one.
  package var stalled: Int32
  /// The stalled one first, unless it has ended.
  package var threads: [Thread] = []
  /// How many more there were: too many, or time was up.
  package var omittedCount = 0
  /// When it was begun, ns, monotonic.
  package var time: UInt64
  /// How long it took.
  package var elapsed: Duration = .zero
}
