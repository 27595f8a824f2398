// How a link comes from frame to frame. All of it on the loop's thread.

extension RunLoop.DisplayLink {
  /// Begins or ends to wait for frames, as that is wanted now.
  func refresh() {
    guard isListenedTo != isTicking else { return }
    if isTicking { return rest() }
    isTicking = true
    lastFrame = nil
    isCatchingUp = false
    guard let loop, let origin else { return askForNext() }
    for mode in modes { attachOrigin(to: mode, of: loop) }
    origin.ask(for: .current)
  }

  /// Waits for no frame any more.
  func rest() {
    isTicking = false
    timer.setFireDate(nil)
    guard let loop, let origin else { return }
    // What it was asked for may still come, and is to wake nobody.
    for item in origin.items {
      for mode in item.modes { loop.detach(item, from: mode) }
    }
  }

  func attachOrigin(to mode: RunLoop.Mode, of loop: RunLoop) {
    for item in origin?.items ?? [] {
      item.claim(for: loop)
      loop.attach(item, to: mode)
    }
  }

  /// Asks for the next frame of the link's rate: after the last, or after now.
  func askForNext() {
    guard let loop else { return }
    if let origin {
      guard let lastFrame else { return }
      return origin.ask(for: .next(after: lastFrame, stride: stride))
    }
    let from = max(lastFrame ?? grid.frame(at: loop.poller.now()), grid.base)
    timer.setFireDate(RunLoop.Instant(nanoseconds: grid.date(of: nextFrame(after: from))))
  }

  private func nextFrame(after frame: UInt64) -> UInt64 { frame - frame % stride + stride }

  /// The timer's date has come: the tick is for the latest frame, however many have passed.
  func timerFired() {
    guard let loop, isTicking else { return }
    let frame = grid.frame(at: loop.poller.now())
    let wanted = max(frame - frame % stride, grid.base)
    guard lastFrame.map({ wanted > $0 }) ?? true else { return askForNext() }
    tick(wanted)
  }

  /// A frame of the display's that was asked for.
  ///
  /// One that was on the way for a whole frame of the link's is not told: the loop was busy meanwhile, and only the
  /// display knows which it shows now.
  ///
  /// - Parameter date: when it began, ns.
  package func frameCame(_ frame: UInt64, at date: UInt64) {
    guard let loop, let origin, isTicking else { return }
    // As a timer, it is not called within its own callout, whose end asks again.
    if isInCallout { return isHeldUp = true }
    grid = FrameGrid(base: frame, origin: date, millihertz: origin.millihertz)
    setRate(grid.millihertz)
    let stride = stride
    let now = loop.poller.now()
    if !isCatchingUp, now > date, now - date >= stride * grid.period {
      isCatchingUp = true
      return origin.ask(for: .current)
    }
    isCatchingUp = false
    // The first answer only says where the display is.
    guard let lastFrame else {
      lastFrame = frame
      return askForNext()
    }
    let behind = frame % stride
    let wanted = frame - behind
    guard wanted > lastFrame else { return origin.ask(for: .next(after: frame, stride: stride)) }
    let offset = behind * grid.period
    grid = FrameGrid(base: wanted, origin: date > offset ? date - offset : 0, millihertz: grid.millihertz)
    tick(wanted)
  }

  /// The display has gone: says so, and goes on by the timer, at the rate and with the numbers that it had.
  package func originFailed(_ error: any Error) {
    guard let lost = origin else { return }
    origin = nil
    lost.finish()
    if isTicking { askForNext() }
    tellFailure(error)
  }

  private func tick(_ frame: UInt64) {
    let stride = stride
    let missed = lastFrame.map { (frame - 1) / stride - $0 / stride } ?? 0
    lastFrame = frame
    // Before the handler, which may take its time, run the loop, or end the link.
    askForNext()
    tell(
      RunLoop.DisplayTick(
        timestamp: RunLoop.Instant(nanoseconds: grid.date(of: frame)),
        targetTimestamp: RunLoop.Instant(nanoseconds: grid.date(of: frame + stride)),
        duration: .nanoseconds(Int64(clamping: grid.period)), sequence: frame, missedFrames: missed))
  }
}
