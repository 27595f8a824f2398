extension RunLoop {
  /// What a signal handler wakes and stops a loop by, with the functions of `CMainspring`.
  ///
  /// Keep it for as long as the handler is installed; it holds neither the loop nor a descriptor. What it points to may
  /// be used at any moment, also after the loop has ended.
  ///
  /// ```swift
  /// import CMainspring
  /// import Glibc
  ///
  /// enum Interrupt {
  ///   static let handle = RunLoop.main.base.signalHandle
  ///
  ///   static func stopsTheLoop() {
  ///     _ = handle  // made here: the first use must not be the handler's
  ///     signal(SIGINT) { _ in _ = mainspring_stop(Interrupt.handle.pointer, mainspring_stop_all) }
  ///   }
  /// }
  /// ```
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
