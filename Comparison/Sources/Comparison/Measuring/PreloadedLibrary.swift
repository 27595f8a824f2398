import Foundation
import Glibc
import Workbench

/// A library that a side's process is started with: it stands before the C library.
enum PreloadedLibrary: String, Sendable {
  /// The wall clock can be set.
  case clockShift = "ClockShift"
  /// Clocks say that they count in milliseconds.
  case coarseClock = "CoarseClock"

  /// Beside this program, where the package's products are built.
  func path() throws(ChildProcess.StartError) -> String {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = program.deletingLastPathComponent().appendingPathComponent("lib\(rawValue).so").path
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw ChildProcess.StartError(
        description: "\(path) is not there; build the whole package: swift build --package-path Comparison")
    }
    return path
  }
}
