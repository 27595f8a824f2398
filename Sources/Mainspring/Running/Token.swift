import LinuxKernel
import Synchronization

extension RunLoop {
  /// Something that any thread signals once and that a run waits for: `RunLoop.run(until:in:for:)`.
  public final class Token: Sendable {
    private let signalled = Atomic<Bool>(false)
    private let waiter = AtomicLazyReference<RunLoop>()

    /// A token that was not signalled yet.
    public init() {}

    /// Whether it was signalled. Any thread.
    public var isSignalled: Bool { signalled.load(ordering: .sequentiallyConsistent) }

    /// Signals, and wakes the loop that waits for it. Any thread; more than once is the same as once.
    public func signal() {
      signalled.store(true, ordering: .sequentiallyConsistent)
      // The one writes and then looks for the waiter, the other puts itself there and then looks for the signal.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      waiter.load()?.wakeUp()
    }

    func waits(for loop: RunLoop) {
      let first = waiter.storeIfNil(loop)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      require(first === loop, "a token is waited for by one loop; this one is another's")
    }
  }
}
