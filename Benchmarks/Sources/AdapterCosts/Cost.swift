import CCounts
import Foundation

/// What an operation costs with and without being watched: the least of several turns of each.
struct Cost {
  private let name: String
  /// The most that being watched may take, ns, and the most allocations.
  private let goal: Double
  private let allocationGoal: Double
  private var without = Figures()
  private var watched = Figures()

  private struct Figures {
    var nanoseconds = Double.infinity
    var allocations = Double.infinity
  }

  /// Short ones, so that some are not interrupted.
  private static let turns = 200

  /// Each of the two has a thread of its own for all of its turns, since a loop is its thread's.
  init(
    _ name: String, goal: Double, allocationGoal: Double, count: Int,
    without: @escaping (Int) -> Void, watched: @escaping (Int) -> Void,
    prepare: @escaping () -> Void = {}, prepareWatched: @escaping () -> Void = {}
  ) {
    self.name = name
    self.goal = goal
    self.allocationGoal = allocationGoal
    let plainSide = Side(without, prepare)
    let watchedSide = Side(watched) {
      prepare()
      prepareWatched()
    }
    for _ in 0..<Self.turns {
      Self.note(plainSide.turn(count), count, &self.without)
      Self.note(watchedSide.turn(count), count, &self.watched)
    }
  }

  private static func note(
    _ turn: (nanoseconds: UInt64, allocations: UInt64), _ count: Int, _ figures: inout Figures
  ) {
    figures.nanoseconds = min(figures.nanoseconds, Double(turn.nanoseconds) / Double(count))
    figures.allocations = min(figures.allocations, Double(turn.allocations) / Double(count))
  }

  private var more: Double { watched.nanoseconds - without.nanoseconds }
  private var allocationsMore: Double { watched.allocations - without.allocations }

  /// The monitor's own thread allocates now and then meanwhile: a twentieth of one an operation is none.
  var isMet: Bool { more <= goal && allocationsMore <= allocationGoal + 0.05 }

  var line: String {
    let figures = [
      String(format: "%10.0f", without.nanoseconds), String(format: "%10.0f", watched.nanoseconds),
      String(format: "%7.0f", more), String(format: "%16.2f", allocationsMore),
      String(format: "%10.0f", goal),
    ]
    return name.padding(toLength: 34, withPad: " ", startingAt: 0) + " "
      + figures.joined(separator: "   ") + (isMet ? "" : "   missed")
  }
}

/// A thread that takes turns.
private final class Side: @unchecked Sendable {
  // Sendable: one of the two threads has it at a time, which the semaphores see to.
  private let body: (Int) -> Void
  private let (start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private var count = 0
  private var figures: (nanoseconds: UInt64, allocations: UInt64) = (0, 0)

  init(_ body: @escaping (Int) -> Void, _ prepare: @escaping () -> Void) {
    self.body = body
    let prepare = Preparation(body: prepare)
    Thread.detachNewThread { [self] in
      prepare.body()
      // The first run of anything is another's.
      self.body(1000)
      end.signal()
      while true { takeTurn() }
    }
    end.wait()
  }

  private struct Preparation: @unchecked Sendable {
    // Sendable: called once, by the thread, while the other waits.
    let body: () -> Void
  }

  private func takeTurn() {
    start.wait()
    let (before, allocationsBefore) = (DispatchTime.now().uptimeNanoseconds, counts_allocations())
    body(count)
    figures = (DispatchTime.now().uptimeNanoseconds - before, counts_allocations() - allocationsBefore)
    end.signal()
  }

  func turn(_ count: Int) -> (nanoseconds: UInt64, allocations: UInt64) {
    self.count = count
    start.signal()
    end.wait()
    return figures
  }
}
