extension RunLoop {
  /// What a signal handler wakes and stops a loop by, with the functions of `CMainspring`.
  ///
  /// Keep it for as long as the handler is installed; it holds neither the loop nor a descriptor. What it points to may
  /// be used at any moment, also after the loop has ended.
  ///
  ///     let handle = RunLoop.main.base.signalHandle      // kept in a global
  ///     signal(SIGINT) { _ in mainspring_stop(handle.pointer, mainspring_stop_all) }
  ///
  /// A handler that is written in Swift must do nothing else: most of the language needs its runtime, which a signal may
  /// have interrupted. A `SignalSource` delivers signals to the loop as events, and its handler may do anything.
  @safe public final class SignalHandle: Sendable {
    private let words: LoopWords

    init(_ words: LoopWords) { self.words = words }

    /// For `mainspring_wake_up` and `mainspring_stop`.
    @unsafe public var pointer: OpaquePointer { unsafe words.memory }
  }

  /// A handle by which a signal handler may wake and stop the loop. Any thread.
  public var signalHandle: SignalHandle { SignalHandle(words) }
}
