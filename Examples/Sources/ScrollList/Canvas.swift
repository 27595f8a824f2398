import CWindow

/// Something to draw on. Only on the main thread.
@safe @MainActor
final class Canvas {
  private let canvas: OpaquePointer
  private let isOwned: Bool

  /// A colour, 0xAARRGGBB.
  typealias Color = UInt32

  enum Weight { case normal, bold, mono }
  enum Alignment { case left, right, center }

  struct Rectangle: Equatable {
    var x, y, width, height: Double
  }

  /// A canvas with pixels of its own.
  init(width: Int, height: Int) {
    guard let canvas = unsafe ms_canvas_make(CInt(width), CInt(height)) else {
      fatalError("no memory for \(width) x \(height) pixels")
    }
    unsafe self.canvas = canvas
    isOwned = true
  }

  /// The window's, which outlives it.
  init(ofWindow canvas: OpaquePointer) {
    unsafe self.canvas = canvas
    isOwned = false
  }

  // SAFETY: an owned canvas is this object's alone.
  isolated deinit { if isOwned { unsafe ms_canvas_free(canvas) } }

  func fill(_ area: Rectangle, radius: Double = 0, _ color: Color) {
    unsafe ms_canvas_fill(canvas, area.x, area.y, area.width, area.height, radius, color)
  }

  /// Draws within a rectangle alone.
  func clipped(to area: Rectangle, _ body: () -> Void) {
    unsafe ms_canvas_clip(canvas, area.x, area.y, area.width, area.height, 0)
    body()
    unsafe ms_canvas_unclip(canvas)
  }

  func copy(_ other: Canvas, x: Double, y: Double) { unsafe ms_canvas_copy(canvas, other.canvas, x, y) }

  /// A picture in the middle of a square.
  func draw(pixels: [UInt8], width: Int, height: Int, x: Double, y: Double, side: Double) {
    precondition(
      pixels.count == 3 * width * height, "\(pixels.count) bytes are not \(width) x \(height) pixels")
    // SAFETY: there are as many bytes as the size says, and they outlive the call.
    _ = unsafe ms_canvas_picture(canvas, pixels, CInt(width), CInt(height), x, y, side)
  }

  /// A line of text; `x` is its left end, its right end or its middle.
  func text(
    _ text: String, x: Double, y: Double, size: Double, _ color: Color, _ weight: Weight = .normal,
    align: Alignment = .left
  ) {
    let width = align == .left ? 0 : self.width(of: text, size: size, weight)
    let begin = align == .left ? x : align == .right ? x - width : x - width / 2
    // SAFETY: the text ends in zero and outlives the call.
    unsafe ms_canvas_text(canvas, begin.rounded(), y.rounded(), size, weight.inC, color, text)
  }

  func width(of text: String, size: Double, _ weight: Weight) -> Double {
    // SAFETY: as above.
    unsafe ms_canvas_text_width(canvas, size, weight.inC, text)
  }

  /// As much of a text as there is room for.
  func fitted(_ text: String, size: Double, _ weight: Weight = .normal, width: Double) -> String {
    guard self.width(of: text, size: size, weight) > width else { return text }
    var shorter = text
    while !shorter.isEmpty, self.width(of: shorter + "…", size: size, weight) > width { shorter.removeLast() }
    return shorter + "…"
  }
}

extension Canvas.Weight {
  fileprivate var inC: ms_weight {
    switch self {
    case .normal: ms_weight_normal
    case .bold: ms_weight_bold
    case .mono: ms_weight_mono
    }
  }
}
