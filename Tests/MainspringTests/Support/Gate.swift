import LinuxKernel

/// Holds threads until another opens it.
final class Gate: Sendable {
  private let word = FutexWord(0)

  func open() {
    word.store(1)
    word.wake(all: true)
  }

  func pass() { while word.load() == 0 { word.wait(while: 0, until: nil) } }

  /// The same for a task: no thread of those that tasks share is held, for there may be but two, and what opens the gate may
  /// need one.
  func passed() async { await TestThread.done { self.pass() } }

  var isOpen: Bool { word.load() != 0 }
}
