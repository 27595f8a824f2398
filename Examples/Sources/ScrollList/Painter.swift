import StallReport

/// Draws a frame: the cells that are to be seen, the panel, and over the list the report of a stall.
@MainActor
final class Painter {
  private let grid: Grid
  private let panel = Canvas(width: Panel.width, height: Grid.height)
  private var framesSincePanel = 0

  init(_ grid: Grid) { self.grid = grid }

  /// Whether the panel's figures are old enough to be drawn again. Called once a frame.
  func isPanelDue(framesPerSecond: Double) -> Bool {
    framesSincePanel += 1
    return Double(framesSincePanel) >= max(1, framesPerSecond / Double(Panel.rate))
  }

  func draw(_ facts: Panel) {
    framesSincePanel = 0
    facts.draw(on: panel)
  }

  func draw(_ cells: Cells, at offset: Double, report: Report?, on canvas: Canvas) {
    let list = Canvas.Rectangle(x: 0, y: 0, width: Double(Grid.listWidth), height: Double(Grid.height))
    canvas.fill(list, Palette.background)
    canvas.clipped(to: list) {
      for cell in cells.visible {
        let corner = grid.corner(of: cell, at: offset)
        canvas.copy(cells.card(of: cell), x: Double(corner.x), y: Double(corner.y))
      }
      drawScrollBar(at: offset, on: canvas)
      if let report { ReportCard.draw(report, on: canvas) }
    }
    canvas.copy(panel, x: Double(Grid.listWidth), y: 0)
  }

  private func drawScrollBar(at offset: Double, on canvas: Canvas) {
    guard grid.offsetMax > 0 else { return }
    let height = Double(Grid.height)
    let length = max(36, height * height / (grid.offsetMax + height))
    let y = 4 + (height - length - 8) * offset / grid.offsetMax
    canvas.fill(
      .init(x: Double(Grid.listWidth) - 6, y: y, width: 4, height: length), radius: 2, Palette.scrollBar)
  }
}
