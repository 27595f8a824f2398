import LinuxKernel
import Mainspring

/// A crash on its way to the watcher, which takes the stacks, and word on its way back that the report is written.
final class CrashDesk: Sendable {
  private let crash = Locked<CrashRescue.Crash?>(nil)
  private let reported = FutexWord(0)

  /// Any thread.
  func hand(in crash: CrashRescue.Crash) { self.crash.withLock { $0 = crash } }

  /// The crash, if one was handed in. A process has one.
  func take() -> CrashRescue.Crash? {
    crash.withLock { crash in
      defer { crash = nil }
      return crash
    }
  }

  func noteReported() {
    _ = reported.exchange(1)
    reported.wake(all: true)
  }

  func waitUntilReported(within limit: Duration) {
    let deadline = RunLoop.Instant.now.advanced(by: limit).nanoseconds
    while reported.load() == 0 {
      if reported.wait(while: 0, until: deadline) == .timedOut { return }
    }
  }
}
