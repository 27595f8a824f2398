import CommandLineOptions
import Glibc
import Mainspring
import StallReport

/// The whole program: the window and its input, the list, who loads it, and what is told of that.
@MainActor
final class Show {
  private let loop = RunLoop.main
  private let settings: Request.Settings
  private let start: RunLoop.Instant
  private let gallery: Gallery
  private let grid: Grid
  private let cells: Cells
  private let window: Window
  private let painter: Painter
  private let clocks: Clocks
  private var scroller: Scroller
  private var input: Input?
  private var frames: Frames?
  private var loader: (any CellLoader)?
  private var stalls: Stalls?

  private var isTracking = false
  private var isDirty = true
  /// Whether it was told that nothing is left to be loaded.
  private var isSettled = false
  /// Whether a report came that was not drawn yet.
  private var isReportNew = false
  private var firstScreen: Duration?
  private var drawn = (offset: -1.0, loaded: 0)

  init(_ gallery: Gallery, _ settings: Request.Settings) throws {
    start = loop.base.now
    signal(SIGPIPE, SIG_IGN)
    self.gallery = gallery
    self.settings = settings
    grid = Grid(count: gallery.files.count)
    cells = Cells(gallery)
    painter = Painter(grid)
    scroller = Scroller(offsetMax: grid.offsetMax)
    clocks = Clocks(on: loop)
    window = try Window(width: Grid.width, height: Grid.height, title: "ScrollList")
    loader = makeLoader()
    cells.loader = loader
    input = try Input(from: window, on: loop) { [weak self] in self?.handle($0) }
    frames = Frames(on: loop, of: window) { [weak self] in self?.drawFrame($0) }
    stalls = try Stalls(on: loop, folder: settings.reports) { [weak self] in self?.show($0) }
    try listenToSignals()
  }

  private func makeLoader() -> any CellLoader {
    switch settings.loading {
    case .idleQueue(let budget):
      IdleLoader(cells, on: loop, budget: budget) { [weak self] in self?.frames?.timeLeft }
    case .naive(let dropsNewest, let whileScrolling):
      NaiveLoader(cells, on: loop, dropsNewest: dropsNewest, mode: whileScrolling ? .common : .default)
    }
  }

  private func listenToSignals() throws {
    let signals = try RunLoop.SignalSource([SIGUSR1, SIGTERM, SIGINT]) { [weak self] _, delivery in
      MainActor.assumeIsolated {
        if delivery.signal == SIGUSR1 { self?.tell("status") } else { self?.loop.stop(.all) }
      }
    }
    try loop.add(signals, to: .common)
  }

  /// Runs until the user leaves.
  func run() {
    cells.show(grid.cells(at: scroller.offset))
    loop.run()
    tell("end")
    stalls?.stop()
  }

  // MARK: input

  private func handle(_ event: Window.Event) {
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

  private func show(_ report: Report) {
    isDirty = true
    isReportNew = report.state != .ongoing
    tell(report.state == .ongoing ? "stall goes on" : "stall", report: report)
  }

  // MARK: scrolling

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

  // MARK: frames

  private func drawFrame(_ tick: RunLoop.DisplayTick) {
    guard let frames else { return }
    let isInTracking = loop.base.currentMode == .tracking
    scroller.advance(by: frames.begin(tick))
    cells.show(grid.cells(at: scroller.offset))
    let isAtRest = !isTracking && loader?.waiting == 0
    if painter.isPanelDue(framesPerSecond: frames.reading.framesPerSecond) || isAtRest != isSettled {
      painter.draw(panel(isTracking: isInTracking))
      isDirty = true
    }
    let now = (offset: scroller.offset, loaded: cells.counts.loaded)
    if isDirty || isInTracking || now != drawn {
      let isDrawn = frames.draw {
        window.draw { painter.draw(cells, at: scroller.offset, report: stalls?.report, on: $0) }
      }
      input?.takeIn()
      // What was not drawn is counted with the next frame: it is late.
      guard isDrawn else { return }
      (drawn, isDirty) = (now, false)
    }
    frames.end(tick, isTracking: isInTracking)
    tellProgress(isAtRest: isAtRest)
    if isInTracking, scroller.isResting { loop.stop() }
  }

  private func panel(isTracking: Bool) -> Panel {
    let meter = frames?.meter ?? FrameMeter()
    return Panel(
      title: settings.loading.title, isTracking: isTracking,
      reading: frames?.reading ?? RunLoop.FrameRateMonitor().reading, tracking: meter.tracking,
      counts: cells.counts, pictures: gallery.files.count, waiting: loader?.waiting ?? 0, empty: cells.empty,
      clockInDefaultMode: clocks.inDefaultMode, clockInCommonModes: clocks.inCommonModes)
  }

  private func tellProgress(isAtRest: Bool) {
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

  // MARK: telling

  private func tell(_ event: String, report: Report? = nil) {
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

extension Request.Loading {
  /// What the panel says.
  fileprivate var title: String {
    switch self {
    case .idleQueue(nil): "pictures by idle work"
    case .idleQueue: "idle work, whatever the frame leaves"
    case .naive(false, false): "the naive way, oldest dropped"
    case .naive(true, false): "the naive way, newest dropped"
    case .naive(false, true): "the naive way, while scrolling"
    case .naive(true, true): "naive, newest dropped, scrolling"
    }
  }
}
