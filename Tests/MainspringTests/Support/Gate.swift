import LinuxKernel

/// Holds threads until another opens it.
final class Gate: Sendable {
  private let word = FutexWord(0)

  func open() {
    word.store(1)
    word.wake(all: true)
  }

  func pass() { while word.load() == 0 { word.wait(while: 0, until: nil) } }

  var isOpen: Bool { word.load() != 0 }
}
