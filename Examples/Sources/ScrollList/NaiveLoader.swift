import Mainspring
import Pictures

/// Loads as tutorials do, to be compared with: a list of tasks, of which an observer does one before each sleep, and a timer
/// that does nothing but keep the loop awake.
///
/// The list is bounded, since tasks of cells that are gone should go; but what is dropped is the oldest, or the newest,
/// whoever may be looking at it.
@MainActor
final class NaiveLoader: CellLoader {
  private let cells: Cells
  private let dropsNewest: Bool
  private var tasks: [() -> Void] = []
  private var keys: [Int] = []

  /// As the tutorial has it.
  private static let tasksMax = 18

  /// - Parameters:
  ///   - dropsNewest: whether a full list refuses the new task; otherwise the oldest goes.
  ///   - mode: the modes that the observer works in.
  init(_ cells: Cells, on loop: MainRunLoop, dropsNewest: Bool, mode: RunLoop.Mode) {
    self.cells = cells
    self.dropsNewest = dropsNewest
    loop.addObserver(of: .beforeWaiting, order: .max - 999, to: mode) { [weak self] _, _ in self?.doOne() }
    loop.addTimer(every: .milliseconds(1), to: mode) { _ in }
  }

  var waiting: Int { tasks.count }

  func cellCame(_ cell: Int) {
    if dropsNewest, tasks.count == Self.tasksMax { return }
    tasks.append { [cells] in
      do {
        cells.take(try PictureLoad(cells.gallery.files[cell].path).finish(), for: cell)
      } catch {
        cells.fail(cell)
      }
    }
    keys.append(cell)
    if tasks.count > Self.tasksMax {
      tasks.removeFirst()
      keys.removeFirst()
    }
  }

  func cellLeft(_ cell: Int) {}

  private func doOne() {
    guard !tasks.isEmpty else { return }
    keys.removeFirst()
    tasks.removeFirst()()
  }
}
