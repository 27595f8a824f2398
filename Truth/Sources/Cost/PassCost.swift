import Mainspring
import StallMonitor

/// What a watched loop's pass costs more than the same loop's while nobody watches it.
///
/// Where a loop lies in memory changes its passes by more than watching does. So each loop is compared with itself: it is
/// watched and let alone in turn, the fastest rounds of both are compared, and the loop in the middle of several is told.
struct PassCost {
  struct Pair {
    /// While nobody watches, and while a monitor does, ns a pass.
    var plain = Double.infinity
    var watched = Double.infinity
    var difference: Double { watched - plain }
  }

  /// A pass that has work and does not wait.
  var busy = Pair()
  /// A pass that waits.
  var waiting = Pair()
  /// A pass of a loop whose lag is measured, beside one of the same loop before, ns; and by phase, with one callout.
  var measured = Pair()
  var measuredByPhase = Pair()
  /// What a watched loop's thread asked the allocator for beyond what it did otherwise, in all passes of a round.
  var allocations = 0

  private static let loops = 9
  private static let turns = 4
  private static let roundsPerTurn = 6
  private static let busyPasses = 20_000
  private static let waitingPasses = 200
  /// How many passes were watched for allocations.
  static let watchedPasses = loops * turns * roundsPerTurn * (busyPasses + waitingPasses)

  static func measure() throws -> PassCost {
    let costs = try (0..<loops).map { try ofOneLoop(named: "measured-\($0)") }
    var cost = PassCost()
    cost.busy = middle(costs.map(\.busy))
    cost.waiting = middle(costs.map(\.waiting))
    cost.measured = middle(costs.map(\.measured))
    cost.measuredByPhase = middle(costs.map(\.measuredByPhase))
    cost.allocations = costs.map(\.allocations).max() ?? 0
    return cost
  }

  private static func middle(_ pairs: [Pair]) -> Pair {
    pairs.sorted { $0.difference < $1.difference }[pairs.count / 2]
  }

  private static func ofOneLoop(named name: String) throws -> PassCost {
    let loop = try LoopThread(named: name)
    defer { loop.end() }
    // What is made once is made in a round that does not count.
    _ = try Round(loop)
    var (plain, watched) = ([Round](), [Round]())
    for _ in 0..<turns {
      plain += try (0..<roundsPerTurn).map { _ in try Round(loop) }
      var configuration = StallMonitor.Configuration()
      configuration.threshold = .milliseconds(50)
      let monitor = try StallMonitor(configuration)
      monitor.watch(loop.loop, as: name)
      watched += try (0..<roundsPerTurn).map { _ in try Round(loop) }
      monitor.stop()
    }
    var cost = PassCost()
    cost.busy = Pair(plain: fastest(plain, \.busy), watched: fastest(watched, \.busy))
    cost.waiting = Pair(plain: fastest(plain, \.waiting), watched: fastest(watched, \.waiting))
    // Last, for a loop is measured for good.
    loop.loop.measureLag()
    let measured = try (0..<roundsPerTurn).map { _ in try Round(loop) }
    loop.loop.measureLag(byPhase: true)
    let byPhase = try (0..<roundsPerTurn).map { _ in try Round(loop) }
    cost.measured = Pair(plain: cost.busy.plain, watched: fastest(measured, \.busy))
    cost.measuredByPhase = Pair(plain: cost.busy.plain, watched: fastest(byPhase, \.busy))
    let usual = plain.map(\.allocations).max() ?? 0
    cost.allocations = max(0, (watched.map(\.allocations).min() ?? 0) - usual)
    return cost
  }

  private static func fastest(_ rounds: [Round], _ kind: KeyPath<Round, Double>) -> Double {
    rounds.map { $0[keyPath: kind] }.min() ?? .infinity
  }

  /// One round of passes on a loop.
  private struct Round {
    let busy: Double
    let waiting: Double
    let allocations: Int

    init(_ loop: LoopThread) throws {
      let (busy, waiting) = (try loop.busyPasses(busyPasses), try loop.waitingPasses(waitingPasses))
      (self.busy, self.waiting) = (busy.nanoseconds, waiting.nanoseconds)
      allocations = Int(busy.allocations + waiting.allocations)
    }
  }
}
