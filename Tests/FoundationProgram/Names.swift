import Glibc
import LinuxKernel
import Mainspring

/// `RunLoop` is another's name where Foundation is imported.
typealias Loop = Mainspring.RunLoop

/// Prints a line at once, and where it was not told on the main thread, says so.
func tell(_ line: String) {
  print(line + (ThreadIdentity.isMain ? "" : " (elsewhere)"))
  fflush(nil)
}

/// Calls `then` once it was called as often as it is told.
@MainActor
final class Countdown {
  private var count: Int
  private let then: () -> Void

  init(_ count: Int, then: @escaping () -> Void) {
    self.count = count
    self.then = then
  }

  func step() {
    count -= 1
    if count == 0 { then() }
  }
}
