import Glibc
import Mainspring
import StallReport

/// The whole program: the window and its input, the list, who loads it, and what is told of that.
@MainActor
final class Show {
  let loop = RunLoop.main
  let settings: Request.Settings
  let start: RunLoop.Instant
  let gallery: Gallery
  let grid: Grid
  let cells: Cells
  let window: Window
  let painter: Painter
  let clocks: Clocks
  var scroller: Scroller
  var input: Input?
  var frames: Frames?
  var loader: (any CellLoader)?
  var stalls: Stalls?

  var isTracking = false
  var isDirty = true
  /// Whether it was told that nothing is left to be loaded.
  var isSettled = false
  /// Whether a report came that was not drawn yet.
  var isReportNew = false
  var firstScreen: Duration?
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
    input = Input(from: window, on: loop) { [weak self] in self?.handle($0) }
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
