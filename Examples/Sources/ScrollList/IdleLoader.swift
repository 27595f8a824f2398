import Mainspring
import Pictures

/// Loads by the loop's idle queue. What the naive way leaves open is closed here:
///
/// - A task is known by its cell and taken back when the cell leaves the screen. The queue needs no bound to stay short, so
///   that nothing is dropped that somebody looks at.
/// - What waits keeps the loop from sleeping. Neither a timer nor a finger has to wake it for the first screen.
/// - It goes on while the user scrolls, in what a frame leaves, and a picture is read in steps, none of which is longer than
///   that.
@MainActor
final class IdleLoader: CellLoader {
  private let cells: Cells
  private let queue: RunLoop.IdleQueue
  private var loads: [Int: PictureLoad] = [:]

  /// - Parameters:
  ///   - frameTimeLeft: for how long the loop is free in the frame that is on.
  ///   - budget: how long a turn may be, whatever the frame leaves, to see what that costs; nil is the right way.
  init(
    _ cells: Cells, on loop: MainRunLoop, budget: Duration?,
    frameTimeLeft: @escaping @MainActor @Sendable () -> Duration?
  ) {
    self.cells = cells
    let turn = RunLoop.IdleQueue.Budget(time: budget ?? .milliseconds(4), tasks: budget == nil ? 64 : .max)
    // Where a turn has a length of its own, nobody asks what the frame leaves.
    let asked: @Sendable () -> Duration? = { MainActor.assumeIsolated { frameTimeLeft() } }
    queue = RunLoop.IdleQueue(budget: turn, trackingBudget: turn, frameTimeLeft: budget == nil ? asked : nil)
    loop.add(queue, to: .common)
  }

  var waiting: Int { loads.count }

  func cellCame(_ cell: Int) {
    let load = PictureLoad(cells.gallery.files[cell].path)
    loads[cell] = load
    // A photograph does not hold up what comes after it.
    queue.add(
      key: .init(cell), priority: cells.gallery.isLarge(cell) ? .normal : .high,
      inSteps: { [self] slice in
        try MainActor.assumeIsolated { try go(on: load, of: cell, in: slice) }
      })
  }

  func cellLeft(_ cell: Int) {
    if loads.removeValue(forKey: cell)?.isBegun == true { cells.gaveUp() }
    queue.cancel(key: .init(cell))
  }

  private func go(
    on load: PictureLoad, of cell: Int, in slice: RunLoop.IdleQueue.Slice
  ) throws -> RunLoop.IdleQueue.Progress {
    do {
      repeat {
        guard let picture = try load.step() else { continue }
        loads[cell] = nil
        cells.take(picture, for: cell)
        return .finished
      } while !slice.isOver
      return .unfinished
    } catch {
      loads[cell] = nil
      cells.fail(cell)
      return .finished
    }
  }
}
