import Testing

@testable import ScrollList

@Suite struct `The grid of cells` {
  @Test func `shows the rows of which a pixel is in the window, and no others`() {
    let grid = Grid(count: 100)
    #expect(grid.cells(at: 0) == 0..<30)
    // The first row is 124 pixels high and begins 8 pixels down.
    #expect(grid.cells(at: 131) == 0..<36)
    #expect(grid.cells(at: 140) == 6..<36)
  }

  @Test func `ends with the last cell`() {
    let grid = Grid(count: 40)
    #expect(grid.rows == 7)
    #expect(grid.cells(at: grid.offsetMax).upperBound == 40)
    let last = grid.corner(of: 39, at: grid.offsetMax)
    #expect(last.y + Grid.cellHeight + Grid.gap == Grid.height)
    #expect(Grid(count: 1).offsetMax == 0)
  }
}
