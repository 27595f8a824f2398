import Pictures

/// What a cell looks like. Drawn once, and copied from then on.
@MainActor
enum Card {
  private static let inset = Double(Grid.cellWidth - Grid.pictureSide) / 2
  private static let side = Double(Grid.pictureSide)

  static func make(_ picture: Picture, title: String) -> Canvas {
    let card = empty()
    card.draw(
      pixels: picture.pixels, width: picture.size.width, height: picture.size.height, x: inset, y: inset,
      side: side)
    let text = card.fitted(title, size: 9.5, width: side)
    card.text(
      text, x: Double(Grid.cellWidth) / 2, y: Double(Grid.cellHeight) - 8, size: 9.5, Palette.title,
      align: .center)
    return card
  }

  static func placeholder() -> Canvas {
    let card = empty()
    card.fill(.init(x: inset, y: inset, width: side, height: side), radius: 6, Palette.placeholder)
    let line = Canvas.Rectangle(x: inset + 16, y: Double(Grid.cellHeight) - 14, width: side - 32, height: 6)
    card.fill(line, radius: 3, Palette.cardEdge)
    return card
  }

  private static func empty() -> Canvas {
    let card = Canvas(width: Grid.cellWidth, height: Grid.cellHeight)
    let (width, height) = (Double(Grid.cellWidth), Double(Grid.cellHeight))
    card.fill(.init(x: 0, y: 0, width: width, height: height), Palette.background)
    card.fill(.init(x: 0, y: 0, width: width, height: height), radius: 8, Palette.cardEdge)
    card.fill(.init(x: 1, y: 1, width: width - 2, height: height - 2), radius: 7, Palette.card)
    return card
  }
}
