import Pictures

/// The cells: which are on the screen, which have their picture, and what was loaded for nobody.
@MainActor
final class Cells {
  let gallery: Gallery
  /// Who loads the pictures.
  weak var loader: (any CellLoader)?
  private(set) var visible = 0..<0
  private var cards: [Int: Canvas] = [:]
  private let placeholder: Canvas
  private(set) var counts = Counts()

  struct Counts {
    /// Pictures that were loaded.
    var loaded = 0
    /// Of these, those whose cell was not on the screen when they came, or had its picture already.
    var inVain = 0
    /// Those that were begun and given up, since their cell had left the screen.
    var givenUp = 0
    /// Files that could not be read.
    var failed = 0
  }

  /// So many cards are kept; those far from the screen go first.
  private static let cardsMax = 360

  init(_ gallery: Gallery) {
    self.gallery = gallery
    placeholder = Card.placeholder()
  }

  /// These are on the screen from now on.
  func show(_ cells: Range<Int>) {
    let before = visible
    guard cells != before else { return }
    visible = cells
    for cell in before where !cells.contains(cell) && cards[cell] == nil { loader?.cellLeft(cell) }
    for cell in cells where !before.contains(cell) && cards[cell] == nil { loader?.cellCame(cell) }
    if cards.count > Self.cardsMax { forgetFarCards() }
  }

  private func forgetFarCards() {
    let near = visible.lowerBound - Self.cardsMax / 3..<visible.upperBound + Self.cardsMax / 3
    cards = cards.filter { near.contains($0.key) }
  }

  /// Cells on the screen without a picture.
  var empty: Int { visible.count { cards[$0] == nil } }

  func card(of cell: Int) -> Canvas { cards[cell] ?? placeholder }

  /// A picture has come for a cell.
  func take(_ picture: Picture, for cell: Int) {
    counts.loaded += 1
    guard visible.contains(cell), cards[cell] == nil else { return counts.inVain += 1 }
    cards[cell] = Card.make(picture, title: gallery.title(of: cell))
  }

  /// The picture of a cell cannot be had. The cell is not tried again as long as its card is kept.
  func fail(_ cell: Int) {
    counts.failed += 1
    cards[cell] = Card.placeholder()
  }

  func gaveUp() { counts.givenUp += 1 }
}

/// Who loads the pictures of cells, in one way or another.
@MainActor
protocol CellLoader: AnyObject {
  /// How many are waiting to be loaded.
  var waiting: Int { get }
  /// A cell without a picture came on the screen.
  func cellCame(_ cell: Int)
  /// It left it without one.
  func cellLeft(_ cell: Int)
}
