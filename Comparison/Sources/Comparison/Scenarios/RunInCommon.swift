import Foundation

import class Mainspring.RunLoop

/// A run in the common modes, which are none that a loop can run in.
struct RunInCommon: Scenario {
  let name = "run-in-common"
  let title = "run in .common for 100 ms, with a timer there that is due"
  let rules = Rules(12, cf: [11])

  func play(_ side: Side, _ notes: Notes) {
    let fired = Shared(false)
    let watch = Stopwatch()
    switch side {
    case .coreFoundation:
      CoreFoundationLoop.current.addTimer(after: .zero, to: CoreFoundationLoop.commonModes) {
        fired.value = true
      }
      _ = Foundation.RunLoop.current.run(mode: .common, before: Date(timeIntervalSinceNow: 0.1))
    case .mainspring:
      MainspringLoop.current.addTimer(after: .zero, to: MainspringLoop.commonModes) { fired.value = true }
      RunLoop.current.run(in: .common, for: .milliseconds(100))
    }
    notes.note("fired", fired.value)
    notes.note("run_ms", watch.milliseconds)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let fired = try facts.isTrue("fired")
    let time = milliseconds(try facts.number("run_ms"))
    return Finding(
      fired ? "the timer fired" : "returned after \(time), having done nothing, and said nothing",
      isRight: fired)
  }

  /// A mistake that is told is no silent one.
  func finding(death: Measurement.End, during step: String?, complaint: String) -> Finding {
    guard complaint.contains(".common") else {
      return Finding("\(death), and did not say of what", isRight: false)
    }
    let words = complaint.split(separator: "rror: ").last?.split(separator: "failed: ").last ?? complaint[...]
    return Finding("trapped: \(words)", isRight: true)
  }
}
