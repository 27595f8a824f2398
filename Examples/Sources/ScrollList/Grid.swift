/// Where the cells are: a grid that is higher than the window. Places are in pixels.
struct Grid {
  let count: Int

  static let width = 960
  static let height = 640
  static let listWidth = 728
  static let columns = 6
  static let cellWidth = 112
  static let cellHeight = 124
  static let gap = 8
  /// The longer side of a picture in its cell.
  static let pictureSide = 96

  private static var pitch: Int { cellHeight + gap }

  var rows: Int { (count + Self.columns - 1) / Self.columns }
  /// How far it can be scrolled.
  var offsetMax: Double { Double(max(0, rows * Self.pitch + Self.gap - Self.height)) }

  /// The cells of which something is to be seen.
  func cells(at offset: Double) -> Range<Int> {
    let first = max(0, (Int(offset) - Self.gap) / Self.pitch)
    let last = (Int(offset.rounded(.up)) + Self.height - Self.gap - 1) / Self.pitch
    let begin = min(count, first * Self.columns)
    return begin..<max(begin, min(count, (last + 1) * Self.columns))
  }

  /// The upper left corner of a cell in the window.
  func corner(of cell: Int, at offset: Double) -> (x: Int, y: Int) {
    let (row, column) = cell.quotientAndRemainder(dividingBy: Self.columns)
    return (
      Self.gap + column * (Self.cellWidth + Self.gap), Self.gap + row * Self.pitch - Int(offset.rounded())
    )
  }
}
