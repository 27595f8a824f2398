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
  private let isTold = Atomic<Bool>(false)
  private let isInstalled = Atomic<Bool>(false)

  /// What the handler of signals runs; held by the thread that waits for a crash.
  private static let current = Atomic<UInt>(0)

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
    // SAFETY: what the word refers to is this object, which the thread below holds from here until no handler is installed.
    let reference = unsafe Unmanaged.passRetained(self)
    let before = Self.current.compareExchange(
      expected: 0, desired: UInt(bitPattern: unsafe reference.toOpaque()), ordering: .sequentiallyConsistent)
    guard before.exchanged else {
      unsafe reference.release()
      throw CrashRescue.StartError(errno: KernelError.busy.number)
    }
    var error = unsafe ms_rescue_install(
      signals, CInt(clamping: signals.count), limit.saturatingNanoseconds, loopThread
    ) { RescueCore.runInHandler() }
    if error == 0 {
      isInstalled.store(true, ordering: .sequentiallyConsistent)
      do throws(KernelError) {
        try NativeThread.start(named: "rescue", stackBytes: 256 << 10) { [self] in
          waitForCrash()
          Self.forget(self)
        }
        return
      } catch {
        _ = ms_rescue_remove()
      }
      error = KernelError.noMemory.number
    }
    Self.forget(self)
    throw CrashRescue.StartError(errno: error)
  }

  func remove() {
    if isInstalled.exchange(false, ordering: .sequentiallyConsistent) { _ = ms_rescue_remove() }
  }

  private static func forget(_ core: RescueCore) {
    current.store(0, ordering: .sequentiallyConsistent)
    unsafe Unmanaged.passUnretained(core).release()
  }

  // MARK: on a thread that waits

  private func waitForCrash() {
    guard let found = unsafe ms_rescue_wait() else { return }
    // SAFETY: what is known of a crash does not change any more.
    let crash = unsafe CrashRescue.Crash(found.pointee, loopThread: loopThread, token: token)
    for listener in CrashListeners.all { listener(crash, limit / 2) }
    for mode in modes {
      loop.perform(in: mode) { [self] in
        if !isTold.exchange(true, ordering: .sequentiallyConsistent) { onCrash(crash) }
      }
    }
  }

  // MARK: in the handler, on the loop's thread

  private static func runInHandler() {
    let word = current.load(ordering: .sequentiallyConsistent)
    guard let address = unsafe UnsafeRawPointer(bitPattern: word) else { return }
    // SAFETY: as in `install`; there is a crash, so that nothing is removed any more.
    unsafe Unmanaged<RescueCore>.fromOpaque(address).takeUnretainedValue().runUntilFinished()
  }

  /// How long a mode has, where several take turns.
  private static let turn = Duration.milliseconds(10)

  private func runUntilFinished() {
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
