import MainspringTesting
import SimulationPrograms

/// Draws a program of what CFRunLoop and the loop have both, where time does not matter: a timer is due now or in an
/// hour, and a run makes one pass or is stopped by a timer that is due over and over.
struct AgreeingProgram {
  private var random: SeededRandom
  private var program: Program
  private let theme: Theme
  private var sources: [Int] = []
  private var timers: [Int] = []
  private var observers: [Int] = []
  private var hasStoppers = false
  private var hasCommonObservers = false

  static let hour = 3_600_000
  private static let blockCount = 6
  /// Modes that anything may be in. What is never common, the initialization mode, is for runs that end empty.
  private static let modes: [Program.Mode] = [.default, .tracking, .other]

  static func program(of seed: UInt64, _ theme: Theme) -> Program {
    var drawn = AgreeingProgram(seed, theme)
    drawn.drawItems()
    drawn.drawDoings()
    return drawn.program
  }

  private init(_ seed: UInt64, _ theme: Theme) {
    random = SeededRandom(seed: seed)
    program = Program(seed: seed)
    self.theme = theme
    hasStoppers = oneIn(2)
    hasCommonObservers = theme == .modes || oneIn(2)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements.randomElement(using: &random)!
  }

  // MARK: items

  private mutating func drawItems() {
    for _ in 0..<number(1...(theme == .sources ? 5 : 3)) {
      sources.append(add(.source(order: number(-1...1)), to: [place()]))
    }
    for _ in 0..<number(1...(theme == .timers ? 5 : 3)) {
      let kind: Program.Kind =
        oneIn(2) ? .timer(first: one(of: [0, Self.hour])) : .repeatingTimer(every: Self.hour)
      timers.append(add(kind, to: [place()]))
    }
    drawObservers()
    // CF 13: to CFRunLoop a timer that is firing keeps its mode from being empty, to the loop not (M8). Where something
    // else does, timers may run the loop.
    if !oneIn(3) { program.anchor = add(.source(order: 0), to: Self.modes) }
    if hasStoppers {
      for mode in Self.modes { program.stoppers.insert(add(.repeatingTimer(every: Self.hour), to: [mode])) }
    }
  }

  /// Whoever comes into a mode because that becomes common comes there in the order of a hash table in CFRunLoop, and
  /// keeps its place in the loop (M41): then no two have the same order number.
  private mutating func drawObservers() {
    var orders = [-2, -1, 0, 1, 2].shuffled(using: &random)
    if !hasCommonObservers { orders = orders.map { $0 / 2 } }
    for order in orders.prefix(number(0...(theme == .observers ? 5 : 3))) {
      // Few listen to everything: one that does acts at the first activity that there is.
      let activities = oneIn(3) ? number(1...63) : 1 << number(0...5)
      let kind = Program.Kind.observer(
        activities: .init(rawValue: UInt8(activities)), repeats: !oneIn(4), order: order)
      observers.append(add(kind, to: [observerPlace()]))
    }
  }

  /// Makes an item and has the main line add it.
  private mutating func add(_ kind: Program.Kind, to modes: [Program.Mode]) -> Int {
    let item = program.items.count
    program.items.append(kind)
    program.behaviours.append([])
    for mode in modes { program.mainLine.append(.add(item, mode)) }
    return item
  }

  private mutating func place() -> Program.Mode { one(of: Self.modes + [.default, .common, .common]) }

  private mutating func observerPlace() -> Program.Mode {
    hasCommonObservers ? one(of: Self.modes + [.common, .common, .initialization]) : one(of: Self.modes)
  }

  // MARK: doings

  private mutating func drawDoings() {
    for item in sources + timers + observers {
      for _ in 0..<number(0...4) { program.behaviours[item].append(acts(upTo: 3, isCallout: true)) }
    }
    for stopper in program.stoppers.sorted() {
      program.mainLine.append(.setDate(stopper, 0))
      for _ in 0..<number(0...3) {
        program.behaviours[stopper].append([.setDate(stopper, 0)] + acts(upTo: 1, isCallout: true))
      }
    }
    for _ in 0..<Self.blockCount { program.blocks.append(acts(upTo: 2, isCallout: true)) }
    for _ in 0..<number(2...5) {
      program.mainLine += acts(upTo: 4, isCallout: false)
      program.mainLine.append(.run(run()))
    }
    if oneIn(3) { drawFinishingRun() }
  }

  /// A run that ends because its last source leaves while it is performed.
  private mutating func drawFinishingRun() {
    let last = add(.source(order: 0), to: [.initialization])
    program.behaviours[last] = [[oneIn(2) ? .invalidate(last) : .remove(last, .initialization)]]
    let run = Act.Run(in: .initialization, for: nil, .plain(returnAfterSource: false, waitsWhenEmpty: false))
    program.mainLine += [.signal(last), .run(run)]
  }

  private mutating func acts(upTo most: Int, isCallout: Bool) -> [Act] {
    var acts: [Act] = []
    for _ in 0..<number(0...most) { acts.append(act(isCallout: isCallout)) }
    return acts
  }

  private mutating func act(isCallout: Bool) -> Act {
    switch choice(isCallout: isCallout) {
    case .signal: return .signal(one(of: sources))
    case .perform:
      var places = [blockPlace()]
      if oneIn(3) { places.append(blockPlace()) }
      return .perform(block: number(0...Self.blockCount - 1), modes: places)
    case .add:
      let item = item()
      return .add(item, observers.contains(item) ? observerPlace() : place())
    case .remove:
      let item = item()
      return .remove(item, observers.contains(item) ? observerPlace() : place())
    case .invalidate: return .invalidate(item())
    case .setDate: return .setDate(one(of: timers), one(of: [0, 0, Self.hour]))
    // The same order of who comes into it: see `drawObservers`.
    case .makeCommon: return hasCommonObservers ? .makeCommon(.other) : .signal(one(of: sources))
    case .stop: return .stop(all: false)
    case .run: return .run(run())
    }
  }

  private mutating func choice(isCallout: Bool) -> Theme.Choice {
    let choices = Theme.Choice.allCases.filter { isCallout || $0.isForMainLine }
    var rest = number(0...choices.reduce(0) { $0 + theme.weight(of: $1) } - 1)
    return choices.first {
      rest -= theme.weight(of: $0)
      return rest < 0
    }!
  }

  /// Often one of the theme's kind.
  private mutating func item() -> Int {
    let own: [Int] =
      switch theme {
      case .sources: sources
      case .timers: timers
      case .observers: observers
      default: []
      }
    return one(of: own.isEmpty || oneIn(4) ? sources + timers + observers : own)
  }

  private mutating func blockPlace() -> Program.Mode { one(of: [place(), place(), .initialization]) }

  private mutating func run() -> Act.Run {
    let isLong = hasStoppers && oneIn(2)
    let mode = isLong ? one(of: Self.modes) : one(of: Self.modes + [.default, .initialization])
    return Act.Run(
      in: mode, for: isLong ? nil : 0, .plain(returnAfterSource: oneIn(4), waitsWhenEmpty: false))
  }
}
