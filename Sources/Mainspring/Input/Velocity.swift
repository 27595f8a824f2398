/// How fast a finger is: the line that lies best among its last places.
struct Velocity {
  private var samples: [(place: RunLoop.Vector, time: RunLoop.Instant)] = []

  /// What is older says nothing of how fast it is now.
  private static let window = Duration.milliseconds(100)
  /// A finger that moves tells of it more often than this: one that was silent for longer has stood still.
  private static let standstill = Duration.milliseconds(40)
  /// A mouse may tell of a thousand places a second.
  private static let most = 32

  mutating func add(_ place: RunLoop.Vector, at time: RunLoop.Instant) {
    // The later of two at one moment counts.
    if samples.last?.time == time { samples.removeLast() }
    if samples.count == Self.most { samples.removeFirst() }
    samples.append((place, time))
    samples.removeAll { $0.time.duration(to: time) > Self.window }
  }

  /// A second's way, as of then.
  func value(at now: RunLoop.Instant) -> RunLoop.Vector {
    guard samples.count > 1, let last = samples.last, last.time.duration(to: now) <= Self.standstill else {
      return .zero
    }
    let seconds = samples.map { $0.time.duration(to: last.time) / .seconds(-1) }
    let count = Double(samples.count)
    let middle = samples.reduce(RunLoop.Vector.zero) { $0 + $1.place } * (1 / count)
    let middleTime = seconds.reduce(0, +) / count
    var (way, square) = (RunLoop.Vector.zero, 0.0)
    for (sample, second) in zip(samples, seconds) {
      way = way + (sample.place - middle) * (second - middleTime)
      square += (second - middleTime) * (second - middleTime)
    }
    return way * (1 / square)
  }
}
