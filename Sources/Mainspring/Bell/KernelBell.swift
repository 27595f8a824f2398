package import LinuxKernel
import Synchronization

/// The bell of a loop, on atomics and the kernel.
package struct KernelBell: ~Copyable, Sendable {
  // SAFETY: the words' owner is kept beside their addresses.
  private let words: LoopWords
  private let sleepWord: FutexWord
  private let generation = Fork.generation

  package init(_ words: LoopWords = LoopWords()) {
    self.words = words
    unsafe sleepWord = FutexWord(at: words.sleep)
  }

  private var doorWord: UnsafeMutablePointer<Atomic<UInt32>> {
    @inline(__always) get { unsafe words.door }
  }

  /// The eventfd's number, or -1 while no wait set has needed one. Set by the loop's thread before it first
  /// sleeps on it; closed by the protocol.
  private var descriptor: UnsafeMutablePointer<Atomic<CInt>> { unsafe words.descriptor }

  /// The descriptor that ends a sleep in epoll; made at the first call. Only on the loop's thread.
  package func makeDescriptor() throws(KernelError) -> CInt {
    let present = unsafe descriptor.pointee.load(ordering: .relaxed)
    if present >= 0 { return present }
    let made = try EventDescriptor().release()
    unsafe descriptor.pointee.store(made, ordering: .releasing)
    return made
  }

  /// The processor that the last ring came from.
  package var ringer: UInt32 { unsafe words.ringer.pointee.load(ordering: .relaxed) }

  private func noteRinger() { unsafe words.ringer.pointee.store(Processor.current, ordering: .relaxed) }

  /// Sleeps on the word until it is rung or the deadline (ns, monotonic) passes.
  package func waitOnWord(_ code: SleepCode, until deadline: UInt64?) {
    sleepWord.wait(while: code.rawValue, until: deadline)
  }
}

extension KernelBell: BellMachine {
  @inline(__always)
  package func load(_ word: BellWord, _ step: BellStep) -> UInt32 {
    switch word {
    case .sleep: sleepWord.load()
    case .door: unsafe doorWord.pointee.load(ordering: .sequentiallyConsistent)
    }
  }

  @inline(__always)
  package func store(_ value: UInt32, in word: BellWord, _ step: BellStep) {
    switch word {
    case .sleep: sleepWord.store(value)
    case .door: unsafe doorWord.pointee.store(value, ordering: .releasing)
    }
  }

  @inline(__always)
  package func exchange(_ word: BellWord, with value: UInt32, _ step: BellStep) -> UInt32 {
    switch word {
    case .sleep: sleepWord.exchange(value)
    case .door: unsafe doorWord.pointee.exchange(value, ordering: .sequentiallyConsistent)
    }
  }

  @inline(__always)
  package func compareExchange(
    _ word: BellWord, _ expected: UInt32, _ desired: UInt32, _ step: BellStep
  ) -> Bool {
    switch word {
    case .sleep: sleepWord.compareExchange(expected, desired)
    case .door:
      unsafe doorWord.pointee.compareExchange(
        expected: expected, desired: desired, ordering: .sequentiallyConsistent
      ).exchanged
    }
  }

  package func add(_ amount: UInt32, to word: BellWord, _ step: BellStep) -> UInt32 {
    precondition(word == .door, "only the door counts")
    return unsafe doorWord.pointee.wrappingAdd(amount, ordering: .sequentiallyConsistent).oldValue
  }

  package func wakeSleeper(_ step: BellStep) {
    noteRinger()
    sleepWord.wake()
  }

  package func writeDescriptor(_ step: BellStep) {
    // In a forked child the number is closed, or another file's.
    guard generation == Fork.generation else { return }
    noteRinger()
    EventDescriptor.ring(unsafe descriptor.pointee.load(ordering: .acquiring))
  }

  package func closeDescriptor(_ step: BellStep) {
    let number = unsafe descriptor.pointee.exchange(-1, ordering: .sequentiallyConsistent)
    if number >= 0, generation == Fork.generation { _ = OwnedDescriptor(adopting: number) }
  }
}
