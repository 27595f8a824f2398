import LinuxKernel

extension RunLoop {
  /// Signals that wake the loop and are told on its thread, where a handler may do whatever other code may.
  ///
  /// ```swift
  /// import Glibc
  ///
  /// RunLoop.SignalSource.block([SIGTERM, SIGINT])  // first thing in main
  /// let signals = try RunLoop.SignalSource([SIGTERM, SIGINT]) { source, delivery in
  ///   print("signal \(delivery.signal) from process \(delivery.sender?.process ?? 0)")
  ///   source.invalidate()
  ///   RunLoop.SignalSource.unblock(source.signals)  // a second one ends the program at once
  ///   RunLoop.main.stop(.all)
  /// }
  /// try RunLoop.main.add(signals, to: .common)
  /// RunLoop.main.run()
  /// ```
  ///
  /// **Every source hears of every signal.** Where several sources of a process, on whatever loops, ask for the same
  /// signal, each is told of each one that any of them took. One signal is one callout.
  ///
  /// **Threads.** A signal to the process goes to any thread that lets it through, past the source, so it must be blocked
  /// on all of them. A thread begins with the mask of the one that started it. Call `block(_:)` on the main thread before
  /// others are started; adding the source then blocks on the loop's thread what still is not. Threads that were started
  /// before cannot be changed from outside: `threadsLettingThrough(_:)` names them. The main thread is one of them where
  /// `main` is asynchronous: Swift parks it with every signal let through, whatever was blocked. A signal to a certain
  /// thread is seen only if that is the loop's.
  ///
  /// **Child processes** begin with the mask of the thread that starts them, too, and a program that blocks SIGTERM is not
  /// ended by it: give it an empty mask (`posix_spawnattr_setsigmask`, with the flag `POSIX_SPAWN_SETSIGMASK`).
  /// Foundation's `Process` does not, and has no setting for it. After `fork` the child lets through again what sources
  /// of the thread had blocked.
  ///
  /// **The end.** When the source is invalidated the loop's thread lets through again what it let through before the first
  /// source of its loop; a signal that waits then takes its usual way. What `block(_:)` blocked stays blocked until a thread
  /// lets it through by `unblock(_:)`.
  ///
  /// The kernel merges signals below 32 that wait: however often SIGHUP was sent meanwhile, it is told once. With an
  /// empty `interest` the signals wait. A source takes three descriptors.
  public final class SignalSource: DescriptorSource, @unchecked Sendable {
    // Sendable: as `DescriptorSource`; `isBlocking` belongs to the loop's thread.
    private let listened: SignalSet
    @safe @exclusivity(unchecked) private var isBlocking = false

    /// A source that hears of these signals once it is added.
    ///
    /// - Parameters:
    ///   - signals: by their numbers. It is an error of the program to name none, one that cannot be blocked (SIGKILL,
    ///     SIGSTOP, the two of the C library), or one that a fault of the program itself raises (SIGSEGV, SIGBUS, SIGFPE,
    ///     SIGILL, SIGTRAP): these trap.
    ///   - order: smaller numbers are served first within what one look found ready.
    ///   - handler: called on the loop's thread, once a signal.
    /// - Throws: `.noDescriptorLeft`, `.refused`.
    public convenience init(
      _ signals: [CInt], order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (SignalSource, Delivery) -> Void
    ) throws(SourceError) {
      let listener: SignalListener
      do throws(KernelError) {
        listener = try SignalListener(Self.checked(signals))
      } catch {
        throw SourceError(making: error)
      }
      self.init(listener, order: order, site: CallSite(file, line), handler)
    }

    private init(
      _ listener: SignalListener, order: Int, site: CallSite,
      _ handler: @escaping @Sendable (SignalSource, Delivery) -> Void
    ) {
      listened = listener.signals
      super.init(owning: listener.number, order: order, site: site) { source in
        guard let source = source as? SignalSource, let letter = listener.next() else { return false }
        handler(source, Delivery(letter))
        return true
      }
    }

    deinit {
      // Dropped without having been invalidated.
      guard isBlocking, let loop else { return }
      let listened = self.listened
      if loop.isOnOwnThread {
        if !loop.hasEnded { loop.blockedSignals.giveBack(listened) }
      } else {
        loop.send(concerning: .none) { if !$0.hasEnded { $0.blockedSignals.giveBack(listened) } }
      }
    }

    /// The signals that it hears of, in ascending order.
    public var signals: [CInt] { listened.numbers }

    /// Blocks signals on the calling thread, for good, and so on every thread that is started from it later. For the
    /// beginning of `main`, before there are other threads.
    public static func block(_ signals: [CInt]) { SignalMask.block(checked(signals)) }

    /// Lets signals through on the calling thread: one that no source takes any more then takes its usual way, which for SIGTERM
    /// ends the process. It undoes `block(_:)` for this thread, which is enough for a signal to the process.
    ///
    /// A source of the thread's loop that hears of the signal would lose it: invalidate it before.
    public static func unblock(_ signals: [CInt]) { SignalMask.unblock(checked(signals)) }

    /// The kernel's numbers of those threads of the process that let one of the signals through, and so may take it
    /// before a source does: to be empty once the program has set itself up.
    ///
    /// - Complexity: reads a file of `/proc` for each thread.
    public static func threadsLettingThrough(_ signals: [CInt]) -> [CInt] {
      SignalMask.threadsLettingThrough(checked(signals))
    }

    private static func checked(_ signals: [CInt]) -> SignalSet {
      require(!signals.isEmpty, "a source of no signal would never be called")
      for signal in signals {
        require(
          (1...SignalSet.last).contains(signal) && !SignalSet.untakeable.contains(signal),
          "signal \(signal) cannot be waited for")
      }
      return SignalSet(signals)
    }

    override func didAttach(to scope: Scope, of loop: RunLoop, keeping place: Place?) {
      if !isBlocking {
        isBlocking = true
        loop.blockedSignals.block(listened)
      }
      super.didAttach(to: scope, of: loop, keeping: place)
    }

    override func releaseHandlers() {
      super.releaseHandlers()
      guard isBlocking, let loop, loop.isOnOwnThread else { return }
      isBlocking = false
      // A thread that ends keeps its mask: what waits is left to the others, and not let through here at the last moment.
      if !loop.hasEnded { loop.blockedSignals.giveBack(listened) }
    }

    override var kindName: String { "signal source" }
    override var stateDescription: String { "signals \(signals.map(String.init).joined(separator: " "))" }
  }
}
