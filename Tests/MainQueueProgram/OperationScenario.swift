import Foundation
import LinuxKernel

/// Gives `OperationQueue.main` an operation, and calls `then` after it, on the main thread.
func giveOperation(then: @escaping @Sendable () -> Void) {
  OperationQueue.main.addOperation {
    tell("operation, on the main thread: \(ThreadIdentity.isMain)")
    then()
  }
}
