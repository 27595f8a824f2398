import LinuxKernel
import Synchronization

/// A step of a loop's, as it is written down on the loop's thread.
struct TraceStep {
  /// ns, monotonic.
  var time: UInt64 = 0
  var site = CallSite.unknown
  /// The number of the loop's pass.
  var pass: UInt64 = 0
  /// How many runs are on the stack.
  var depth: UInt32 = 0
  /// Of the innermost run's mode, and one; 0 outside runs.
  var mode: UInt32 = 0
  /// How many steps were lost until now, for want of room.
  var lost: UInt64 = 0
  var phase = Phase.outside
  var kind = Kind.shown

  enum Kind: UInt8 {
    /// The loop shows the phase: it comes into it, or back to it.
    case shown
    /// An observer is called; of one activity there may be several.
    case called
    /// The loop is not traced any more.
    case ended
  }
}

/// Where a loop puts its steps, and the trace's thread takes them: a ring of a fixed size. What finds it full is lost, and
/// counted.
///
/// One writer, the loop's thread, and one reader, who has the lock of the trace's output.
@safe final class TraceRecorder: @unchecked Sendable {
  // Sendable: a cell belongs to the reader from the raising of `written` to the raising of `read`, and otherwise to the
  // writer; all else is atomic or never changes.
  // SAFETY: `capacity` cells, initialized from `init` to `deinit`.
  private let cells: UnsafeMutablePointer<TraceStep>
  private let capacity: UInt64
  private let written = Atomic<UInt64>(0)
  private let pad: [16 of UInt64] = .init(repeating: 0)
  private let read = Atomic<UInt64>(0)
  private let lost = Atomic<UInt64>(0)
  /// The kernel's number of the loop's thread; 0 until the loop has one.
  let thread = Atomic<CInt>(0)
  let isOfMainLoop: Bool
  private let ended = Atomic<Bool>(false)
  /// The trace takes nothing more.
  private let closed = Atomic<Bool>(false)
  /// Called where the ring gets half full, to have it emptied in time.
  private let onHalfFull: @Sendable () -> Void

  init(capacity: Int, ofMainLoop isOfMainLoop: Bool, onHalfFull: @escaping @Sendable () -> Void) {
    self.capacity = UInt64(capacity)
    self.isOfMainLoop = isOfMainLoop
    self.onHalfFull = onHalfFull
    unsafe cells = .allocate(capacity: capacity)
    // Written to here, so that the kernel gives the memory now and not under the loop.
    unsafe cells.initialize(repeating: TraceStep(), count: capacity)
  }

  deinit { unsafe cells.deallocate() }

  // MARK: on the loop's thread

  /// Allocates nothing and waits for nobody.
  func record(_ step: consuming TraceStep) {
    let number = written.load(ordering: .relaxed)
    let waiting = number &- read.load(ordering: .acquiring)
    guard waiting < capacity else {
      lost.store(lost.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
      return
    }
    step.lost = lost.load(ordering: .relaxed)
    // SAFETY: the cell is the writer's until the count is raised.
    unsafe cells[Int(number % capacity)] = step
    written.store(number &+ 1, ordering: .releasing)
    if waiting == capacity / 2 { onHalfFull() }
  }

  /// Nothing more is recorded.
  func end() { ended.store(true, ordering: .releasing) }

  var isClosed: Bool { closed.load(ordering: .relaxed) }

  // MARK: for the reader

  func close() { closed.store(true, ordering: .relaxed) }

  /// Whether nothing more will be recorded: to be asked before what was is taken.
  var hasEnded: Bool { ended.load(ordering: .acquiring) }

  var lostCount: UInt64 { lost.load(ordering: .relaxed) }

  /// Takes what was recorded until now.
  func takeAll(_ body: (TraceStep) -> Void) {
    let end = written.load(ordering: .acquiring)
    var number = read.load(ordering: .relaxed)
    while number != end {
      // SAFETY: the cell is the reader's until the count is raised.
      let step = unsafe cells[Int(number % capacity)]
      number &+= 1
      read.store(number, ordering: .releasing)
      body(step)
    }
  }
}
