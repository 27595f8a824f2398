import Glibc

/// How far a list is scrolled, by a hand that holds it and by the way it goes on when that lets go.
///
/// A value: time is handed in, so that it can be tested without any.
struct Scroller {
  enum Motion: Equatable {
    case resting
    /// A hand holds it, at this place in the window.
    case held(y: Double)
    /// Pixels a second.
    case coasting(velocity: Double)
  }

  private(set) var offset = 0.0
  private(set) var motion = Motion.resting
  private let offsetMax: Double
  /// Where it was of late while it is held: the server's clock, ms.
  private var trail: [(milliseconds: UInt32, offset: Double)] = []

  /// As UIKit has it: a thousandth of a second takes two thousandths of the velocity.
  private static let lossPerSecond = 2.0
  private static let slowest = 20.0
  private static let fastest = 9000.0
  /// Over which time the velocity of a hand is taken.
  private static let trailLength: UInt32 = 80

  init(offsetMax: Double) { self.offsetMax = offsetMax }

  var isResting: Bool { motion == .resting }

  mutating func press(y: Double, milliseconds: UInt32) {
    motion = .held(y: y)
    trail = [(milliseconds, offset)]
  }

  mutating func move(y: Double, milliseconds: UInt32) {
    guard case .held(let before) = motion else { return }
    offset = clamped(offset + before - y)
    motion = .held(y: y)
    trail.append((milliseconds, offset))
    trail.removeAll { milliseconds &- $0.milliseconds > Self.trailLength }
  }

  mutating func release(milliseconds: UInt32) {
    guard case .held = motion else { return }
    motion = .resting
    trail.removeAll { milliseconds &- $0.milliseconds > Self.trailLength }
    guard let first = trail.first, milliseconds != first.milliseconds else { return }
    push(by: (offset - first.offset) * 1000 / Double(milliseconds &- first.milliseconds))
  }

  /// Nobody holds it any more, and it stays where it is.
  mutating func letGo() {
    if case .held = motion { motion = .resting }
  }

  /// Lets it coast, or faster.
  mutating func push(by velocity: Double) {
    var velocity = velocity
    if case .coasting(let before) = motion, before.sign == velocity.sign { velocity += before }
    velocity = min(Self.fastest, max(-Self.fastest, velocity))
    motion = abs(velocity) < Self.slowest ? .resting : .coasting(velocity: velocity)
  }

  mutating func jump(to offset: Double) {
    self.offset = clamped(offset)
    motion = .resting
  }

  /// Some time has passed.
  mutating func advance(by seconds: Double) {
    guard case .coasting(let velocity) = motion else { return }
    let wanted = offset + velocity * seconds
    offset = clamped(wanted)
    let slower = velocity * exp(-Self.lossPerSecond * seconds)
    motion = offset != wanted || abs(slower) < Self.slowest ? .resting : .coasting(velocity: slower)
  }

  private func clamped(_ offset: Double) -> Double { min(offsetMax, max(0, offset)) }
}
