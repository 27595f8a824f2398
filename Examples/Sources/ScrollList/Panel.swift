import Mainspring

/// What stands beside the list.
struct Panel {
  var title: String
  var isTracking: Bool
  var reading: RunLoop.FrameRateMonitor.Reading
  var tracking: FrameMeter.Counts
  var counts: Cells.Counts
  var pictures: Int
  var waiting: Int
  var empty: Int
  var clockInDefaultMode: Int
  var clockInCommonModes: Int

  static let width = Grid.width - Grid.listWidth
  private static let margin = 18.0
  private static let right = Double(width) - margin

  /// So many times a second it is drawn anew; from then on it is copied.
  static let rate = 10

  @MainActor
  func draw(on canvas: Canvas) {
    canvas.fill(.init(x: 0, y: 0, width: Double(Self.width), height: Double(Grid.height)), Palette.panel)
    canvas.text("ScrollList", x: Self.margin, y: 38, size: 18, Palette.value, .bold)
    canvas.text(title, x: Self.margin, y: 58, size: 10.5, Palette.heading)
    drawMode(on: canvas, y: 76)
    var pen = Pen(canvas: canvas, y: 136)
    pen.section("FRAMES")
    pen.row("a second", "\(Int(reading.framesPerSecond.rounded()))")
    pen.row("while scrolling", "\(tracking.shown)")
    pen.row("missed: loop busy", "\(tracking.missedBusy)", tracking.missedBusy == 0 ? nil : Palette.alarming)
    pen.row("missed: no processor", "\(tracking.missedStarved)")
    pen.row("longest without a look", Self.milliseconds(tracking.longestBusy))
    pen.section("PICTURES")
    pen.row("in the list", "\(pictures)")
    pen.row("loaded", "\(counts.loaded)")
    pen.row("waiting", "\(waiting)")
    pen.row("loaded in vain", "\(counts.inVain)", counts.inVain == 0 ? nil : Palette.alarming)
    pen.row("empty on the screen", "\(empty)", empty == 0 ? nil : Palette.lively)
    pen.section("CLOCKS")
    pen.row("default mode", Clocks.text(clockInDefaultMode), isTracking ? Palette.lively : nil)
    pen.row("common modes", Clocks.text(clockInCommonModes))
    pen.section("KEYS")
    pen.row("drag, wheel", "scroll")
    pen.row("s", "a careless load")
    pen.row("q", "leave")
  }

  @MainActor
  private func drawMode(on canvas: Canvas, y: Double) {
    let color = isTracking ? Palette.lively : Palette.calm
    let area = Canvas.Rectangle(x: Self.margin, y: y, width: Self.right - Self.margin, height: 28)
    canvas.fill(area, radius: 14, color)
    canvas.text(
      isTracking ? "tracking mode" : "default mode", x: Double(Self.width) / 2, y: y + 18.5, size: 12,
      Palette.panel, .bold, align: .center)
  }

  private static func milliseconds(_ nanoseconds: UInt64) -> String {
    let tenths = (nanoseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }

  /// Writes row after row.
  @MainActor
  private struct Pen {
    let canvas: Canvas
    var y: Double

    mutating func section(_ name: String) {
      y += 12
      canvas.text(name, x: Panel.margin, y: y, size: 9.5, Palette.heading, .bold)
      canvas.fill(
        .init(x: Panel.margin, y: y + 7, width: Panel.right - Panel.margin, height: 1), Palette.panelLine)
      y += 25
    }

    mutating func row(_ label: String, _ value: String, _ color: Canvas.Color? = nil) {
      canvas.text(label, x: Panel.margin, y: y, size: 11, Palette.label)
      canvas.text(value, x: Panel.right, y: y, size: 11, color ?? Palette.value, .mono, align: .right)
      y += 19
    }
  }
}
