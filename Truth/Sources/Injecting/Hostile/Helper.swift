import CHostility
import Glibc
import TruthLog

/// A process beside this one that stops it, traces it, or takes a processor away.
final class HelperProcess {
  private var helper = helper_process()

  /// - Parameter kind: `hog` or `stopper`.
  init(_ kind: String) {
    let error = helper_start(kind, &helper)
    precondition(error == 0, "no \(kind) could be started: errno \(error)")
  }

  func end() { helper_end(&helper) }

  /// The end of the pipe that commands are written to.
  var commands: CInt { helper.to }

  /// The stretches that the answer to one command tells.
  func answer() -> [Interval] {
    var stretches: [Interval] = []
    var line = ""
    var byte: UInt8 = 0
    while true {
      let count = read(helper.from, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return stretches }
      guard byte == 10 else {
        line.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      if line == "done" { return stretches }
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      if numbers.count == 2 { stretches.append(Interval(numbers[0], numbers[1])) }
      line = ""
    }
  }
}
