import Mainspring
import MainspringDisplay

/// The frames of the window: how long is left of the one that is on, and which were missed.
@MainActor
final class Frames {
  private(set) var meter = FrameMeter()
  private let monitor = RunLoop.FrameRateMonitor()
  private let delay = RunDelay()
  private let loop: MainRunLoop
  private var link: RunLoop.DisplayLink?
  /// What a frame of late took to be drawn, at most.
  private var drawing = Duration.zero
  private var lastTick: RunLoop.DisplayTick?

  /// Frames of a window, or of a timer where the server tells of none.
  init(
    on loop: MainRunLoop, of window: Window,
    handler: @escaping @MainActor @Sendable (RunLoop.DisplayTick) -> Void
  ) {
    self.loop = loop
    let tick: @Sendable (RunLoop.DisplayLink, RunLoop.DisplayTick) -> Void = { _, tick in
      MainActor.assumeIsolated { handler(tick) }
    }
    let link =
      (try? RunLoop.DisplayLink(onDisplay: nil, window: window.number, handler: tick))
      ?? RunLoop.DisplayLink(handler: tick)
    self.link = link
    loop.add(link, to: .common)
    watchPasses()
  }

  private func watchPasses() {
    loop.addObserver(of: [.beforeTimers, .afterWaiting], order: .min) { [weak self] _, _ in
      guard let self else { return }
      meter.looked(at: now)
    }
    loop.addObserver(of: .beforeWaiting, order: .max) { [weak self] _, _ in
      guard let self else { return }
      meter.waits(at: now)
    }
  }

  private var now: FrameMeter.Moment { .init(time: Self.nanoseconds(loop.base.now), delay: delay.total) }

  /// ns since some moment.
  private static func nanoseconds(_ date: RunLoop.Instant) -> UInt64 {
    let (seconds, attoseconds) = origin.duration(to: date).components
    return UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
  }
  private static let origin = RunLoop.Instant.now.advanced(by: .seconds(-10))

  var reading: RunLoop.FrameRateMonitor.Reading { monitor.reading }

  /// For how long the loop is free before the next frame has to be drawn.
  var timeLeft: Duration? { link?.frameTimeLeft.map { $0 - drawing } }

  /// A frame begins; says how many seconds after the last.
  func begin(_ tick: RunLoop.DisplayTick) -> Double {
    monitor.note(tick)
    defer { lastTick = tick }
    guard let lastTick else { return 0 }
    return min(0.1, lastTick.timestamp.duration(to: tick.timestamp) / .seconds(1))
  }

  /// Draws, and remembers how long that took.
  func draw(_ body: () -> Bool) -> Bool {
    let begin = loop.base.now
    let isDrawn = body()
    let length = begin.duration(to: loop.base.now)
    drawing = max(length, drawing * 0.95)
    return isDrawn
  }

  /// The frame's picture was sent, or there was nothing new to be sent.
  func end(_ tick: RunLoop.DisplayTick, isTracking: Bool) {
    let frame = (
      number: tick.sequence, begin: Self.nanoseconds(tick.timestamp),
      length: UInt64(tick.duration / .nanoseconds(1))
    )
    meter.shown(in: frame, at: now, isTracking: isTracking)
  }
}
