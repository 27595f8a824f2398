import Foundation
import ScrollDriver
import Testing

@testable import ScrollList

/// The program in a real window, driven as a user would. How fast the machine is, and what else it does, is nobody's business
/// here: the program tells what happened, and frames that it had no processor for are not held against it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `The list in its window` {
  private func start(_ arguments: String...) throws -> ScrollProgram {
    let beside = try #require(CommandLine.arguments.first)
    let program = URL(fileURLWithPath: beside).deletingLastPathComponent().appendingPathComponent(
      "ScrollList")
    return try ScrollProgram(program.path, arguments)
  }

  /// The middle of each cell that is wholly in the window.
  private func middles(of event: Event) -> [(x: Int, y: Int)] {
    let grid = Grid(count: .max / 2)
    return (event.firstCell..<event.firstCell + event.cells).map { cell in
      let corner = grid.corner(of: cell, at: Double(event.offset))
      return (corner.x + Grid.cellWidth / 2, corner.y + Grid.pictureSide / 2)
    }.filter { (Grid.pictureSide..<Grid.height - Grid.pictureSide).contains($0.y) }
  }

  private func emptyCells(in screenshot: Screenshot, _ event: Event) -> Int {
    middles(of: event).count { screenshot.color(x: $0.x, y: $0.y) == Palette.placeholder & 0xFF_FFFF }
  }

  private func print(_ name: String, _ event: Event) {
    let frames = event.tracking
    Swift.print(
      "\(name): of \(frames.total) frames while scrolling \(frames.missedBusy) missed for the loop was busy,",
      "\(frames.missedStarved) for there was no processor; \(frames.longestBusyUs) µs without a look at most;",
      "\(event.loaded) pictures loaded, \(event.inVain) in vain")
  }

  @Test func `M52: the first screen is complete before anybody touches anything`() throws {
    let program = try start()
    let event = try program.wait(for: "settled")
    #expect(event.empty == 0)
    #expect(event.firstScreenMs != nil)
    #expect(event.loaded == event.cells)
    #expect(emptyCells(in: try Screenshot(of: program.screen), event) == 0)
    #expect(try program.leave() == 0)
  }

  @Test
  func
    `M52, M55: while the user scrolls pictures load, for cells on the screen alone, and no frame is missed for it`()
    throws
  {
    let program = try start()
    let scene = try Scene(with: program)
    let event = scene.secondRest
    print("idle queue", event)
    #expect(event.tracking.busyShare <= 0.01)
    #expect(event.inVain == 0)
    #expect(event.empty == 0)
    #expect(emptyCells(in: try Screenshot(of: program.screen), event) == 0)
    // It did not wait for the end of the scrolling.
    #expect(event.loaded > scene.firstRest.loaded + scene.emptyWhenReleased)
    // One clock stands still meanwhile.
    #expect(scene.clockInDefaultMode == 0)
    #expect(scene.clockInCommonModes > 0)
  }

  @Test func `M52: idle work that does not ask what the frame leaves is seen to miss frames`() throws {
    let program = try start("--budget=100ms")
    let event = try Scene(with: program).secondRest
    print("turns of 100 ms", event)
    #expect(event.tracking.busyShare > 0.01)
  }

  @Test func `the naive way leaves the first screen incomplete, and cells empty after a drag`() throws {
    let program = try start("--naive")
    let scene = try Scene(with: program)
    print("naive", scene.secondRest)
    #expect(scene.firstRest.firstScreenMs == nil)
    #expect(scene.firstRest.empty > 0)
    #expect(scene.secondRest.empty > 0)
    #expect(emptyCells(in: try Screenshot(of: program.screen), scene.secondRest) > 0)
  }

  @Test func `the naive way that keeps the oldest tasks loads for cells that are gone`() throws {
    let scene = try Scene(with: start("--naive", "--drop-newest"))
    print("naive, newest dropped", scene.secondRest)
    #expect(scene.secondRest.inVain >= 9)
    #expect(scene.secondRest.empty > 0)
  }

  @Test func `the naive way misses frames when it goes on while the user scrolls`() throws {
    let event = try Scene(with: start("--naive", "--while-scrolling")).secondRest
    print("naive, while scrolling", event)
    #expect(event.tracking.busyShare > 0.01)
  }

  @Test func `M56: a window that is hidden while it is dragged tracks nobody any more`() throws {
    let program = try start()
    _ = try program.wait(for: "settled")
    try program.hideWhileHeld()
    _ = try program.wait(for: "tracking ended")
    #expect(try program.leave() == 0)
  }

  @Test func `a careless load is reported in the window, with its culprit`() throws {
    let program = try start()
    _ = try program.wait(for: "settled")
    let before = try Screenshot(of: program.screen)
    try program.press(key: "s")
    let event = try program.wait(for: "report drawn")
    #expect(event.chain?.contains { $0.contains("Careless.loadAll") } == true)
    #expect(event.location?.contains(/^(jpeg|png)\.c:\d+$|^Picture.*\.swift:\d+$/) == true)
    #expect(event.callout?.hasPrefix("Input.swift:") == true)
    // The dark card lies where the list was.
    let shadow = try Screenshot(of: program.screen)
    let place = (x: Grid.listWidth / 2, y: 320)
    #expect(shadow.color(x: place.x, y: place.y) != before.color(x: place.x, y: place.y))
    #expect(
      shadow.count(of: Palette.panel & 0xFF_FFFF) > before.count(of: Palette.panel & 0xFF_FFFF) + 50_000)
    #expect(try program.leave() == 0)
  }
}
