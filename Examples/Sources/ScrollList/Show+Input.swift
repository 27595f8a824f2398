import Mainspring
import StallReport

// What the program does when the user, or the monitor, has done something.

extension Show {
  func handle(_ event: Window.Event) {
    switch event {
    case .pressed(1, let y, let milliseconds):
      scroller.press(y: y, milliseconds: milliseconds)
      track()
    case .pressed(let button, _, _) where button == 4 || button == 5:
      scroller.push(by: button == 4 ? -900 : 900)
      track()
    case .moved(let y, let milliseconds): scroller.move(y: y, milliseconds: milliseconds)
    case .released(1, let milliseconds): scroller.release(milliseconds: milliseconds)
    case .key(let key): handle(key)
    case .exposed: isDirty = true
    case .hidden: scroller.letGo()
    case .closed: loop.stop(.all)
    default: break
    }
  }

  private func handle(_ key: Window.Key) {
    let page = Double(Grid.height) * 0.8
    switch key {
    case .q: loop.stop(.all)
    case .s: loadCarelessly()
    case .escape:
      stalls?.dismiss()
      isDirty = true
      tell("escape")
    case .up: jump(to: scroller.offset - 60)
    case .down: jump(to: scroller.offset + 60)
    case .pageUp: jump(to: scroller.offset - page)
    case .pageDown, .space: jump(to: scroller.offset + page)
    case .home: jump(to: 0)
    case .end: jump(to: grid.offsetMax)
    }
  }

  private func jump(to offset: Double) {
    scroller.jump(to: offset)
    isSettled = false
  }

  private func loadCarelessly() {
    let count = Careless.loadAll(gallery.largest(8))
    tell("careless load of \(count)")
  }

  func show(_ report: Report) {
    isDirty = true
    isReportNew = report.state != .ongoing
    tell(report.state == .ongoing ? "stall goes on" : "stall", report: report)
  }

  /// Runs the loop in the tracking mode until the list stands still. Not from within the callout of the input's source,
  /// which is to be free for what comes next.
  private func track() {
    guard !isTracking else { return }
    isTracking = true
    isSettled = false
    loop.perform(in: .default) { [self] in
      tell("tracking began")
      loop.run(in: .tracking)
      isTracking = false
      tell("tracking ended")
    }
  }
}
