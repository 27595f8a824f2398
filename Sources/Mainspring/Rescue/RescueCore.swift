internal import CMainspring
import LinuxKernel
import Synchronization

/// What is done of a rescue in Swift: the waiting for a crash, the telling of it, and the running of the loop.
final class RescueCore: Sendable {
  private let loop: RunLoop
  private let loopThread: CInt
  private let modes: [RunLoop.Mode]
  private let limit: Duration
  private let onCrash: @Sendable (CrashRescue.Crash) -> Void
  private let token = RunLoop.Token()
  /// Whether the call of the program is on the loop.
  private let isOnLoop = FutexWord(0)
  private let telling = Atomic(Telling.notYet.rawValue)
  /// What the loop showed when its thread crashed.
  private let shown = Beacon()
  /// Of this rescue among those that the process has had; 0 before it is installed.
  private let number = Atomic<UInt64>(0)

  /// Whether the program has been called.
  private enum Telling: Int {
    case notYet, isOn, isOver
  }

  init(
    _ loop: RunLoop, _ modes: [RunLoop.Mode], _ limit: Duration,
    _ onCrash: @escaping @Sendable (CrashRescue.Crash) -> Void
  ) {
    self.loop = loop
    self.modes = modes
    self.limit = limit
    self.onCrash = onCrash
    loopThread = ThreadIdentity.kernelNumber
  }

  func install(_ signals: [CInt], within limit: Duration) throws(CrashRescue.StartError) {
    // SAFETY: what the handler is given is this object, which the thread below holds for as long as there is a handler.
    let reference = unsafe Unmanaged.passRetained(self)
    var number: UInt64 = 0
    let error = unsafe ms_rescue_install(
      signals, CInt(clamping: signals.count), limit.saturatingNanoseconds, loopThread,
      { unsafe Unmanaged<RescueCore>.fromOpaque($0!).takeUnretainedValue().noteShown() },
      { unsafe Unmanaged<RescueCore>.fromOpaque($0!).takeUnretainedValue().runUntilFinished() },
      reference.toOpaque(), &number)
    guard error == 0 else {
      unsafe reference.release()
      throw CrashRescue.StartError(errno: error)
    }
    self.number.store(number, ordering: .sequentiallyConsistent)
    do throws(KernelError) {
      try NativeThread.start(named: "rescue", stackBytes: 256 << 10) { [self, number] in
        // After a crash the handler needs this object to the end.
        if !waitForCrash(number) { unsafe Unmanaged.passUnretained(self).release() }
      }
    } catch {
      remove()
      unsafe reference.release()
      throw CrashRescue.StartError(errno: error.number)
    }
  }

  func remove() { _ = ms_rescue_remove(number.load(ordering: .sequentiallyConsistent)) }

  // MARK: on a thread that waits

  /// Says whether there was one; otherwise the rescue was removed.
  private func waitForCrash(_ number: UInt64) -> Bool {
    guard let found = unsafe ms_rescue_wait(number) else { return false }
    // SAFETY: what is known of a crash does not change any more.
    let crash = unsafe CrashRescue.Crash(found.pointee, loopThread: loopThread, shown: shown, token: token)
    tellListeners(of: crash)
    for mode in modes {
      loop.perform(in: mode) { [self] in tell(of: crash) }
    }
    _ = isOnLoop.exchange(1)
    isOnLoop.wake(all: true)
    return true
  }

  /// Half the time is theirs, of all of them together; the rest is the program's.
  private func tellListeners(of crash: CrashRescue.Crash) {
    let end = RunLoop.Instant.now.advanced(by: limit / 2)
    for listener in CrashListeners.all { listener(crash, max(.zero, RunLoop.Instant.now.duration(to: end))) }
  }

  /// Once.
  private func tell(of crash: CrashRescue.Crash) {
    let (isFirst, _) = telling.compareExchange(
      expected: Telling.notYet.rawValue, desired: Telling.isOn.rawValue, ordering: .sequentiallyConsistent)
    guard isFirst else { return }
    onCrash(crash)
    telling.store(Telling.isOver.rawValue, ordering: .sequentiallyConsistent)
  }

  // MARK: in the handler, or at the end of the program, on the loop's thread

  private func noteShown() { shown.copy(loop.beacon) }

  /// How long a mode has, where several take turns.
  private static let turn = Duration.milliseconds(10)

  private func runUntilFinished() {
    // The program ends itself in `onCrash`: it has saved what it wanted to.
    guard telling.load(ordering: .sequentiallyConsistent) != Telling.isOn.rawValue else { return }
    // Not before the call is among the loop's work: another callout may crash, too, and would end everything before it.
    while isOnLoop.load() == 0 { isOnLoop.wait(while: 0, until: nil) }
    let runnable = modes.map { $0 == .common ? RunLoop.Mode.default : $0 }
    let modes = Array(Set(runnable))
    while !token.isSignalled {
      for mode in modes where !token.isSignalled {
        loop.run(until: token, in: mode, for: modes.count == 1 ? nil : Self.turn)
      }
    }
  }
}

/// Who else wants to know of a crash before the program is told: a stall monitor, which reports it.
package enum CrashListeners {
  /// Called with the crash and with how long it may take.
  package typealias Listener = @Sendable (CrashRescue.Crash, Duration) -> Void

  private static let listeners = Locked<[(number: Int, listener: Listener)]>([])

  static var all: [Listener] { listeners.withLock { $0.map(\.listener) } }

  /// Adds one; gives the number by which it leaves.
  package static func add(_ listener: @escaping Listener) -> Int {
    listeners.withLock { listeners in
      let number = (listeners.last?.number ?? 0) + 1
      listeners.append((number, listener))
      return number
    }
  }

  package static func remove(_ number: Int) { listeners.withLock { $0.removeAll { $0.number == number } } }
}
