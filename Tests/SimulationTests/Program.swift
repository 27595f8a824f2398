import MainspringTesting

/// What a simulated program does, as data: the same for the loop and for the model.
enum Act: Sendable {
  case signal(Int)
  case wakeUp
  case perform(block: Int, modes: [String])
  case add(Int, String)
  case remove(Int, String)
  case invalidate(Int)
  /// Milliseconds from now; nil disarms.
  case setDate(Int, Int?)
  case spend(Int)
  case run(Ways)
  case stop(all: Bool)
  case cancelPendingStop
  case makeCommon(String)

  struct Ways: Sendable {
    var mode: String
    /// Milliseconds.
    var limit: Int
    var returnAfterSource = false
    var waitsWhenEmpty = false
    var passesOverStops = false
  }
}

/// What an item is.
enum Kind: Sendable {
  case source(order: Int)
  case timer(first: Int)
  case repeatingTimer(every: Int)
  case rearmableTimer
  case observer(activities: UInt8, repeats: Bool, order: Int)
}

/// A random program: items, what each does at each of its calls, what the main line does and what others do when.
struct Program: Sendable {
  let seed: UInt64
  var items: [Kind] = []
  /// By item, then by call; later calls do nothing.
  var behaviours: [[[Act]]] = []
  /// By block.
  var blocks: [[Act]] = []
  var mainLine: [Act] = []
  var events: [(after: Int, acts: [Act])] = []

  /// Only one whose number is not fixed: those that share a bit in the mask of whom to wake cause needless wake-ups.
  static let modes = ["default", "tracking", "initialization", "x"]

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      items.append(.source(order: .random(in: -1...1, using: &random)))
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: items.append(.timer(first: .random(in: 0...20, using: &random)))
      case 1: items.append(.repeatingTimer(every: .random(in: 1...12, using: &random)))
      default: items.append(.rearmableTimer)
      }
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      items.append(
        .observer(
          activities: .random(in: 1...63, using: &random), repeats: Int.random(in: 0..<4, using: &random) > 0,
          order: .random(in: -1...1, using: &random)))
    }
    let blockCount = 10
    for _ in items {
      behaviours.append(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Self.acts(upTo: 3, items, blockCount, isElsewhere: false, &random)
        })
    }
    for _ in 0..<blockCount {
      blocks.append(Self.acts(upTo: 2, items, blockCount, isElsewhere: false, &random))
    }
    for item in items.indices {
      mainLine.append(.add(item, Self.place(&random)))
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      mainLine += Self.acts(upTo: 4, items, blockCount, isElsewhere: false, &random)
      mainLine.append(.run(Self.ways(&random)))
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      events.append(
        (
          .random(in: 0...60, using: &random),
          Self.acts(upTo: 3, items, blockCount, isElsewhere: true, &random)
        ))
    }
  }

  private static func place(_ random: inout SeededRandom) -> String {
    (modes + ["common", "common", "default"]).randomElement(using: &random)!
  }

  private static func ways(_ random: inout SeededRandom) -> Act.Ways {
    Act.Ways(
      mode: modes.randomElement(using: &random)!,
      limit: [0, 0, 1, 5, 10, 30].randomElement(using: &random)!,
      returnAfterSource: Int.random(in: 0..<4, using: &random) == 0,
      waitsWhenEmpty: Bool.random(using: &random),
      passesOverStops: Int.random(in: 0..<4, using: &random) == 0)
  }

  private static func acts(
    upTo most: Int, _ items: [Kind], _ blockCount: Int, isElsewhere: Bool, _ random: inout SeededRandom
  ) -> [Act] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      act(items, blockCount, isElsewhere: isElsewhere, &random)
    }
  }

  private static func act(
    _ items: [Kind], _ blockCount: Int, isElsewhere: Bool, _ random: inout SeededRandom
  ) -> Act {
    let item = Int.random(in: items.indices, using: &random)
    let source = items.indices.filter { if case .source = items[$0] { true } else { false } }
      .randomElement(using: &random)!
    let timer = items.indices.filter {
      switch items[$0] {
      case .timer, .repeatingTimer, .rearmableTimer: true
      default: false
      }
    }.randomElement(using: &random)!
    switch Int.random(in: 0..<(isElsewhere ? 20 : 26), using: &random) {
    case 0...4: return .signal(source)
    case 5: return .wakeUp
    case 6...8:
      var places = [place(&random)]
      if Int.random(in: 0..<3, using: &random) == 0 { places.append(place(&random)) }
      return .perform(block: .random(in: 0..<blockCount, using: &random), modes: places)
    case 9, 10: return .add(item, place(&random))
    case 11, 12: return .remove(item, place(&random))
    case 13: return .invalidate(item)
    case 14...17: return .setDate(timer, [nil, 0, -3, 2, 4, 7, 7, 15].randomElement(using: &random)!)
    case 18: return .stop(all: Int.random(in: 0..<3, using: &random) == 0)
    case 19:
      return Int.random(in: 0..<3, using: &random) == 0
        ? .makeCommon(["x", "initialization"].randomElement(using: &random)!) : .wakeUp
    case 20: return .cancelPendingStop
    case 21, 22: return .spend([1, 3, 9].randomElement(using: &random)!)
    default: return .run(ways(&random))
    }
  }
}
