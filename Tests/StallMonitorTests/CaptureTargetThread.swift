import Foundation
import LinuxKernel
import StallMonitor
import Symbols
import Synchronization
import Testing

/// A thread for tests to look at. Its body tells when it is where it should be, and is told when to end.
final class TargetThread: Sendable {
  /// The kernel's number.
  let number: Int32
  let control: Control
  private let ended: Gate

  final class Control: Sendable {
    private let arrived = Gate()
    private let ending = Atomic(false)

    /// Whether the body should return.
    var mustEnd: Bool { ending.load(ordering: .relaxed) }
    /// Called by the body just before it does what the test is about.
    func arrive() { arrived.open() }
    func awaitArrival() { arrived.wait() }
    func end() { ending.store(true, ordering: .relaxed) }
  }

  /// Starts a thread and waits until its body has said that it arrived.
  init(stackByteCount: Int = 1 << 20, _ body: @escaping @Sendable (Control) -> Void) {
    let control = Control()
    let ended = Gate()
    let started = Gate()
    let box = NumberBox()
    let thread = Thread {
      try? StackSampler.prepareCurrentThread()
      // Made by a worker of libdispatch, it would inherit that nearly every signal is blocked.
      setSignalMask(blocking: [])
      box.number.store(ThreadIdentity.kernelNumber, ordering: .releasing)
      started.open()
      body(control)
      ended.open()
    }
    thread.stackSize = stackByteCount
    thread.start()
    started.wait()
    control.awaitArrival()
    number = box.number.load(ordering: .acquiring)
    self.control = control
    self.ended = ended
  }

  /// Ends a body that watches `mustEnd`, or that `release` sets free.
  func finish(_ release: () -> Void = {}) {
    control.end()
    release()
    ended.wait()
  }

  private final class NumberBox: Sendable {
    let number = Atomic<Int32>(0)
  }
}

/// Blocks exactly these signals on the calling thread; nil: all.
func setSignalMask(blocking signals: [CInt]?) {
  var set = sigset_t()
  // SAFETY: the calls read and write one signal set, which outlives them.
  unsafe sigemptyset(&set)
  if signals == nil { unsafe sigfillset(&set) }
  for signal in signals ?? [] { unsafe sigaddset(&set, signal) }
  unsafe pthread_sigmask(SIG_SETMASK, &set, nil)
}

extension Trait where Self == ConditionTrait {
  /// Not under the thread sanitizer: it holds signals back, and hands over registers from before.
  static var answersSignals: Self {
    // SAFETY: the name is a literal; what is found is only compared with nil.
    .enabled("the thread sanitizer delays signals") { unsafe dlsym(nil, "__tsan_init") == nil }
  }
}

/// Opens once; whoever waits goes on then.
final class Gate: Sendable {
  private let word = FutexWord()
  func open() {
    word.store(1)
    word.wake(all: true)
  }
  func wait() {
    while word.load() == 0 { word.wait(while: 0, until: nil) }
  }
}

extension StackSampler {
  /// Samples until the thread is asleep in a call: it said that it is about to enter it.
  func sampleAsleep(thread: Int32, in channel: String? = nil) throws -> StackSample {
    while true {
      let sample = try sample(thread: thread, timeout: .seconds(10))
      if sample.state == "S", sample.call != nil, channel == nil || sample.waitChannel == channel {
        return sample
      }
      sched_yield()
    }
  }
}

extension [SymbolicatedFrame] {
  /// All functions, inlined ones too, innermost first.
  var names: [String] { flatMap(\.functions).map(\.name) }

  func function(_ name: String) -> SymbolFrame? {
    flatMap(\.functions).first { $0.name.contains(name) }
  }

  /// For the message of a failed expectation.
  var listing: String {
    enumerated().map { index, frame in
      frame.functions.map {
        "\(index) \($0.isInlined ? "[inlined] " : "")\($0.name) \($0.path ?? $0.imagePath):\($0.line):\($0.column)"
      }.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
