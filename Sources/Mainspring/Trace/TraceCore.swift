import LinuxKernel
import Synchronization

/// What a trace's thread works on, and what is left of the trace when nobody refers to it any more.
final class TraceCore: Sendable {
  private let stepsKept: Int
  private let generation = Fork.generation
  private let output: Locked<TraceOutput>
  /// Recorders that the output does not know yet. Not behind its lock: who begins to trace is not to wait for a disk.
  private let arrivals = Locked<[TraceRecorder]>([])
  private let isClosing = Atomic<Bool>(false)
  /// Not zero where the thread is wanted before its time.
  private let call = FutexWord(0)
  /// Not zero once the file has its end.
  private let done = FutexWord(0)
  /// What was lost, as told at the last look.
  private let lost = Atomic<Int>(0)

  /// How long steps wait until they are written, ns.
  private static let interval: UInt64 = 100_000_000

  init(_ file: consuming OpenFile, stepsKept: Int, bytesMax: Int) {
    self.stepsKept = stepsKept
    output = Locked(TraceOutput(file, bytesMax: bytesMax))
  }

  func start() throws(KernelError) {
    try NativeThread.start(named: "trace", stackBytes: 256 << 10) { [self] in run() }
  }

  /// Whether this process is a child made by `fork`, which has neither the thread nor the file.
  private var isInherited: Bool { generation != Fork.generation }

  // MARK: any thread

  func makeRecorder(ofMainLoop isOfMainLoop: Bool) -> TraceRecorder? {
    guard !isInherited else { return nil }
    let recorder = TraceRecorder(capacity: stepsKept, ofMainLoop: isOfMainLoop) { [self] in callThread() }
    let isTaken = arrivals.withLock { arrivals in
      // Under the lock, under which the thread takes the last.
      guard !isClosing.load(ordering: .relaxed) else { return false }
      arrivals.append(recorder)
      return true
    }
    return isTaken ? recorder : nil
  }

  var lostCount: Int {
    if isInherited { return 0 }
    if done.load() != 0 { return lost.load(ordering: .relaxed) }
    return output.withLock { output in
      output.lostCount + arrivals.withLock { $0.reduce(0) { $0 + Int(clamping: $1.lostCount) } }
    }
  }

  func requestClose() {
    guard !isInherited else { return }
    arrivals.withLock { _ in isClosing.store(true, ordering: .relaxed) }
    callThread()
  }

  func close() -> KernelError? {
    guard !isInherited else { return nil }
    requestClose()
    while done.load() == 0 { done.wait(while: 0, until: nil) }
    return output.withLock { $0.failure }
  }

  func withoutTaking(_ body: () -> Void) { output.withLock { _ in body() } }

  private func callThread() { if call.exchange(1) == 0 { call.wake() } }

  // MARK: the thread

  private func run() {
    while true {
      _ = call.exchange(0)
      // Asked first: what is taken after it is the last.
      let isLast = isClosing.load(ordering: .relaxed)
      take(isLast: isLast)
      if isLast { break }
      call.wait(while: 0, until: MonotonicClock.now() &+ Self.interval)
    }
    _ = done.exchange(1)
    done.wake(all: true)
  }

  func takeNow() { take(isLast: false) }

  private func take(isLast: Bool) {
    output.withLock { output in
      let fresh = arrivals.withLock { arrivals in
        let fresh = arrivals
        arrivals = []
        return fresh
      }
      for recorder in fresh { output.add(recorder) }
      output.takeAll()
      if isLast { output.end() }
      lost.store(output.lostCount, ordering: .relaxed)
    }
  }
}
