import Mainspring
import StallMonitor

/// What a watched loop's pass costs more than one that nobody watches.
///
/// A watched loop and another take turns, so that whatever else the machine does hits both; their fastest rounds are
/// compared.
struct PassCost {
  struct Pair {
    /// Of the loop that nobody watches, and of the one that is watched, ns a pass.
    var plain = Double.infinity
    var watched = Double.infinity
    var difference: Double { watched - plain }
  }

  /// A pass that has work and does not wait.
  var busy = Pair()
  /// A pass that waits.
  var waiting = Pair()
  /// What a watched loop's thread asked the allocator for beyond what the other's did, in all passes of a round.
  var allocations = 0
  private static let rounds = 100
  private static let busyPasses = 20_000
  private static let waitingPasses = 500
  /// How many passes were watched for allocations.
  static let watchedPasses = rounds * (busyPasses + waitingPasses)

  static func measure() throws -> PassCost {
    var configuration = StallMonitor.Configuration()
    configuration.threshold = .milliseconds(50)
    let monitor = try StallMonitor(configuration)
    let (plain, watched) = (try LoopThread(named: "plain"), try LoopThread(named: "watched"))
    defer {
      plain.end()
      watched.end()
      monitor.stop()
    }
    monitor.watch(watched.loop, as: "watched")
    var cost = PassCost()
    for round in 0..<rounds {
      let isFirst = round == 0
      try cost.measure(\.busy, plain, watched, isWarmUp: isFirst) { try $0.busyPasses(busyPasses) }
      try cost.measure(\.waiting, plain, watched, isWarmUp: isFirst) { try $0.waitingPasses(waitingPasses) }
    }
    return cost
  }

  private mutating func measure(
    _ kind: WritableKeyPath<PassCost, Pair>, _ plain: LoopThread, _ watched: LoopThread, isWarmUp: Bool,
    _ passes: (LoopThread) throws -> LoopThread.Measured
  ) throws {
    let (a, b) = (try passes(plain), try passes(watched))
    guard !isWarmUp else { return }
    self[keyPath: kind].plain = min(self[keyPath: kind].plain, a.nanoseconds)
    self[keyPath: kind].watched = min(self[keyPath: kind].watched, b.nanoseconds)
    allocations = max(allocations, Int(b.allocations) - Int(a.allocations))
  }
}
