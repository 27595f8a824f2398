import CommandLineOptions
import Mainspring
import StallReport

// What the program tells of itself.

extension Show {
  func tellProgress(isAtRest: Bool) {
    if isReportNew, let report = stalls?.report {
      isReportNew = false
      tell("report drawn", report: report)
    }
    if firstScreen == nil, cells.empty == 0 {
      firstScreen = start.duration(to: loop.base.now)
      tell("first screen")
    }
    if !isSettled, isAtRest {
      isSettled = true
      tell("settled")
    }
  }

  func tell(_ event: String, report: Report? = nil) {
    guard settings.isJSON else { return }
    // Who reads it may look at the screen then.
    if !isTracking {
      window.wait()
      input?.takeIn()
    }
    let meter = frames?.meter ?? FrameMeter()
    let status = Status(
      event: event, milliseconds: Self.milliseconds(start.duration(to: loop.base.now)),
      mode: loop.base.currentMode?.name ?? "none", isSettled: isSettled,
      offset: Int(scroller.offset.rounded()),
      visible: cells.visible,
      empty: cells.empty, waiting: loader?.waiting ?? 0, counts: cells.counts, tracking: meter.tracking,
      resting: meter.resting, clockInDefaultMode: clocks.inDefaultMode,
      clockInCommonModes: clocks.inCommonModes, firstScreenMilliseconds: firstScreen.map(Self.milliseconds),
      report: report)
    StandardStream.output.write(status.line)
  }

  private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
