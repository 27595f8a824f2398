import Foundation
import Glibc

import class Mainspring.RunLoop

/// The wall clock is set while a run goes on until a date.
struct TimeJump: Scenario {
  let name = "time-jump"
  let title = "run(until: in 500 ms); after 100 ms the wall clock is set back by 3 s"
  let rules = Rules(10, cf: [83])
  let preloaded: PreloadedLibrary? = .clockShift

  func play(_ side: Side, _ notes: Notes) {
    typealias Setter = @convention(c) (Int) -> Void
    // SAFETY: the library that this process was started with has this function.
    let found = unsafe dlsym(nil, "clock_shift_set")
    guard let found = unsafe found else {
      preconditionFailure("started without \(PreloadedLibrary.clockShift)")
    }
    let setWallClock = unsafe unsafeBitCast(found, to: Setter.self)
    onAnotherThread {
      pause(.milliseconds(100))
      setWallClock(-3)
    }
    let watch = Stopwatch()
    switch side {
    case .coreFoundation:
      CoreFoundationLoop.current.keepAlive(CoreFoundationLoop.defaultMode)
      Foundation.RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.5))
    case .mainspring:
      MainspringLoop.current.keepAlive(MainspringLoop.defaultMode)
      RunLoop.current.run(until: .now.advanced(by: .milliseconds(500)))
    }
    notes.note("run_ms", watch.milliseconds)
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let time = try facts.number("run_ms")
    return Finding("returned after \(milliseconds(time))", isRight: (500..<1000).contains(time))
  }
}
