import StallReport

/// The report of a stall, over the list.
@MainActor
enum ReportCard {
  private static let width = 640.0
  private static let margin = 22.0

  static func draw(_ report: Report, on canvas: Canvas) {
    let chain = report.culprit.chain.suffix(9)
    let height = 168 + 19 * Double(chain.count)
    let area = Canvas.Rectangle(
      x: (Double(Grid.listWidth) - width) / 2, y: (Double(Grid.height) - height) / 2, width: width,
      height: height)
    canvas.fill(
      .init(x: 0, y: 0, width: Double(Grid.listWidth), height: Double(Grid.height)), Palette.shadow)
    canvas.fill(area, radius: 12, Palette.panel)
    canvas.fill(.init(x: area.x, y: area.y + 20, width: 4, height: 26), Palette.alarming)
    let (x, room) = (area.x + margin, width - 2 * margin)
    let (what, cost) = report.headlineParts
    canvas.text(
      canvas.fitted(what, size: 13, .bold, width: room), x: x, y: area.y + 38, size: 13, Palette.value, .bold)
    drawFact("time", cost, x, area.y + 70, on: canvas)
    drawFact("culprit", culprit(report), x, area.y + 90, on: canvas)
    drawFact(
      "callout", report.calloutLocation.map { "made at \($0)" } ?? "unknown", x, area.y + 110, on: canvas)
    for (index, name) in chain.enumerated() {
      let isCulprit = index == chain.count - 1
      let line = String(repeating: " ", count: index) + (isCulprit ? "→ " : "  ") + name
      canvas.text(
        canvas.fitted(line, size: 11, .mono, width: room), x: x, y: area.y + 140 + 19 * Double(index),
        size: 11, isCulprit ? Palette.lively : Palette.label, .mono)
    }
    canvas.text(
      "Escape takes it away", x: area.x + width - margin, y: area.y + height - 16, size: 10, Palette.heading,
      align: .right)
  }

  private static func culprit(_ report: Report) -> String {
    let place = report.culpritLocation.map { " at \($0)" } ?? ""
    return
      "\(report.culprit.name)\(place), \(Int((report.culprit.share * 100).rounded())) % of the sampled time"
  }

  private static func drawFact(_ name: String, _ text: String, _ x: Double, _ y: Double, on canvas: Canvas) {
    canvas.text(name, x: x, y: y, size: 11, Palette.heading)
    let room = width - 2 * margin - 64
    canvas.text(
      canvas.fitted(text, size: 11, .mono, width: room), x: x + 64, y: y, size: 11, Palette.value, .mono)
  }
}

extension Report {
  /// The headline, and what it says of where the time went, which would make it too long for a window.
  fileprivate var headlineParts: (what: String, cost: String) {
    guard let comma = headline.lastIndex(of: ",") else { return (headline, "unknown") }
    return (String(headline[..<comma]), String(headline[comma...].dropFirst(2)))
  }
}
