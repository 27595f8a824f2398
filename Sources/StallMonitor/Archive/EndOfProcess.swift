import Glibc
import LinuxKernel

/// Tells sidecars when the process ends by itself — by `exit`, or where `main` returns — so that a stall that was on then is
/// not told as one that the process was killed in.
enum EndOfProcess {
  private static let sidecars = Locked<[ObjectIdentifier: Sidecar]>([:]).heldAcrossForks()

  private static let registration: Void = {
    atexit {
      // A child that ends has nothing to say of its parent's: each sidecar knows.
      for sidecar in EndOfProcess.sidecars.withLock({ Array($0.values) }) { sidecar.noteEnd() }
    }
  }()

  static func add(_ sidecar: Sidecar) {
    registration
    sidecars.withLock { $0[ObjectIdentifier(sidecar)] = sidecar }
  }

  static func remove(_ sidecar: Sidecar) {
    sidecars.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(sidecar)) }
  }
}
