internal import CMainspring
import LinuxKernel
import Synchronization

/// Keeps a process that has crashed for long enough to save what matters and to say so.
///
/// Opt-in, one a process. When a thread of it faults, or `abort` is called, the thread is held where it is, and the loop
/// given here goes on in the modes given: on its own thread, or, where it is that thread that crashed, in the handler of
/// the signal. `onCrash` is called on the loop, once. When it has called `finish()` on what it was given, or at the end of
/// the limit whatever happens, the signal goes its way: to the handler that was there before, and to the end of the
/// process, with a core dump where the system makes them. A second fault ends it at once. A program that exits while it
/// is held — by `exit`, or as `main` returns — ends by the signal, too, once `onCrash` was called; `_exit` ends it as ever.
///
/// ```swift
/// let rescue = try CrashRescue(on: .current, modes: [.common], within: .seconds(5)) { crash in
///   print("\(crash.signalName): saving the draft")
///   crash.finish()
/// }
/// RunLoop.current.run()
/// rescue.remove()
/// ```
///
/// What was being changed when it crashed is as it was: a lock that the thread held stays locked, the allocator's too.
/// Save little, to new files. What then waits for such a lock waits until the limit, which a thread keeps that needs neither.
/// A thread that has used up its stack is rescued where it is the loop's; others have no second stack for it. Nothing can be
/// done for a thread that blocks the signal: the kernel ends the process at once.
public final class CrashRescue: Sendable {
  private let core: RescueCore

  /// Faults of a program, by the kernel, the processor, the compiler's traps and `abort`.
  public static let faults: [CInt] = [11, 7, 4, 8, 5, 6, 31]

  /// The stack that the loop's thread gets for handling signals, in bytes: what `onCrash` has where that thread crashed.
  public static let stackBytes = 1 << 20

  /// Installs handlers for the signals; from now on, while this object lives, the process is held when it crashes.
  ///
  /// - Parameters:
  ///   - loop: calls `onCrash`. On its own thread.
  ///   - modes: where it goes on, and may call `onCrash`; several take turns. `.common` stands for the common modes, in
  ///     `onCrash`'s case, and for the default mode where the loop is run.
  ///   - limit: how long the process is held at most, on the monotonic clock.
  ///   - signals: at most 16 of those that mean a crash.
  ///   - onCrash: as any callout of the loop's.
  /// - Precondition: called on the loop's thread, with a mode and a limit above zero.
  /// - Throws: where there is one already, or the kernel refuses a handler, a thread, or memory.
  public init(
    on loop: RunLoop, modes: [RunLoop.Mode] = [.common], within limit: Duration, signals: [CInt] = faults,
    onCrash: @escaping @Sendable (Crash) -> Void
  ) throws(StartError) {
    loop.requireOwnThread(to: "rescue after a crash")
    require(!modes.isEmpty, "a rescue needs a mode to run the loop in")
    require(limit > .zero, "a rescue within \(limit)")
    let error = ms_rescue_prepare_stack(Self.stackBytes)
    guard error == 0 else { throw StartError(errno: error) }
    core = RescueCore(loop, modes, limit, onCrash)
    try core.install(signals, within: limit)
  }

  /// As above, on the main thread's loop.
  @MainActor
  public convenience init(
    on loop: MainRunLoop, modes: [RunLoop.Mode] = [.common], within limit: Duration, signals: [CInt] = faults,
    onCrash: @escaping @Sendable (Crash) -> Void
  ) throws(StartError) {
    try self.init(on: loop.base, modes: modes, within: limit, signals: signals, onCrash: onCrash)
  }

  deinit { core.remove() }

  /// Puts the handlers back that were there before, where nobody has replaced these since. Any thread.
  public func remove() { core.remove() }

  /// Why there is no rescue.
  public struct StartError: Error, Hashable, Sendable {
    /// The kernel's number; EBUSY where there is a rescue already.
    public let errno: CInt
  }
}

extension CrashRescue.StartError: CustomStringConvertible {
  /// What the system said.
  public var description: String {
    self.errno == KernelError.busy.number
      ? "there is a rescue after a crash already; a process has one"
      : "no rescue after a crash is to be had: \(KernelError(self.errno))"
  }
}
