import CoreFoundation
import Foundation

import class Mainspring.RunLoop

/// Times without end.
struct Huge: Scenario {
  let name = "huge"
  let title =
    "limits, dates and intervals without end: infinite and not a number, or the extremes of Duration"
  let rules = Rules(10, cf: [56])

  func play(_ side: Side, _ notes: Notes) {
    switch side {
    case .coreFoundation:
      let times = [("infinite", Double.infinity), ("negative infinite", -.infinity), ("not a number", .nan)]
      play(CoreFoundationLoop.self, times, notes) {
        _ = CFRunLoopRunInMode(kCFRunLoopDefaultMode, $0, false)
      } interval: { time in
        let timer = Timer(fire: Date(), interval: time, repeats: true) { _ in }
        Foundation.RunLoop.current.add(timer, forMode: .default)
      }
    case .mainspring:
      let most = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
      let times = [("longest", most), ("most negative", .zero - most), ("zero", .zero)]
      play(MainspringLoop.self, times, notes) {
        RunLoop.current.run(in: .default, for: $0)
      } interval: { time in
        RunLoop.current.add(RunLoop.Timer(every: time) { _ in }, to: .default)
      }
    }
    notes.note("survived", true)
  }

  private func play<Loop: ComparedLoop, Time: Sendable>(
    _: Loop.Type, _ times: [(name: String, time: Time)], _ notes: Notes,
    limit: @escaping @Sendable (Time) -> Void, interval: @escaping @Sendable (Time) -> Void
  ) {
    for (name, time) in times {
      notes.begin("a limit that is \(name)")
      _ = Loop.onOwnThread(patience: .milliseconds(50)) { loop in
        loop.keepAlive(Loop.defaultMode)
        limit(time)
      }
      notes.begin("an interval that is \(name)")
      _ = Loop.onOwnThread(patience: .milliseconds(50)) { loop in
        interval(time)
        loop.run(in: Loop.defaultMode, for: .milliseconds(20))
      }
    }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    Finding("every one was taken", isRight: try facts.isTrue("survived"))
  }
}
