import MainspringTesting
import SimulationPrograms

/// Draws a program for virtual time.
struct RandomProgram {
  private var random: SeededRandom
  private var program: Program
  /// Items of each kind, by number.
  private var sources: [Int] = []
  private var timers: [Int] = []
  private var descriptors: [Int] = []
  private var ports: [Int] = []

  private static let blockCount = 10

  /// - Parameter hasWork: whether half of the programs have batches and idle queues besides.
  static func program(of seed: UInt64, hasWork: Bool = true) -> Program {
    var drawn = RandomProgram(seed)
    drawn.drawItems()
    drawn.drawDoings()
    return hasWork ? RandomWork.added(to: drawn.program) : drawn.program
  }

  private init(_ seed: UInt64) {
    random = SeededRandom(seed: seed)
    program = Program(seed: seed)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements.randomElement(using: &random)!
  }

  // MARK: items

  private mutating func drawItems() {
    for _ in 0..<number(1...3) { add(.source(order: number(-1...1))) }
    for _ in 0..<number(1...4) {
      switch number(0...2) {
      case 0: add(.timer(first: number(0...20)))
      case 1: add(.repeatingTimer(every: number(1...12)))
      default: add(.rearmableTimer)
      }
    }
    for _ in 0..<number(0...4) {
      add(
        .observer(
          activities: .init(rawValue: UInt8(number(1...63))), repeats: !oneIn(4), order: number(-1...1)))
    }
    // Half of the programs have neither, and more room for the others.
    if oneIn(2) { drawDescriptors() }
    if oneIn(2) { drawPorts() }
    program.tokenCount = oneIn(3) ? number(1...2) : 0
  }

  private mutating func add(_ kind: Program.Kind) {
    switch kind {
    case .source: sources.append(program.items.count)
    case .timer, .repeatingTimer, .rearmableTimer: timers.append(program.items.count)
    case .descriptor: descriptors.append(program.items.count)
    case .port: ports.append(program.items.count)
    case .observer, .batch, .idleQueue: break
    }
    program.items.append(kind)
  }

  /// No two of one order number: which of these comes first is the kernel's affair.
  private mutating func drawDescriptors() {
    program.descriptorCount = number(1...2)
    for order in [-1, 0, 1].shuffled(using: &random).prefix(number(1...3)) {
      add(
        .descriptor(
          number(0...program.descriptorCount - 1), interest: drawInterest(), isEdge: oneIn(2), order: order))
    }
  }

  /// No two of one order number, for then the loop promises nothing; but as many as a descriptor's, which comes behind.
  private mutating func drawPorts() {
    for order in [-1, 0, 1].shuffled(using: &random).prefix(number(1...2)) {
      add(.port(capacity: oneIn(2) ? number(1...3) : nil, order: order))
    }
  }

  private mutating func drawInterest() -> Program.Readiness {
    one(of: [.read, .read, .write, [.read, .write], []])
  }

  // MARK: doings

  private mutating func drawDoings() {
    for _ in program.items {
      var calls: [[Act]] = []
      for _ in 0..<number(0...3) { calls.append(acts(upTo: 3, isElsewhere: false)) }
      program.behaviours.append(calls)
    }
    for _ in 0..<Self.blockCount { program.blocks.append(acts(upTo: 2, isElsewhere: false)) }
    for item in program.items.indices { program.mainLine.append(.add(item, place())) }
    for _ in 0..<number(1...4) {
      program.mainLine += acts(upTo: 4, isElsewhere: false)
      program.mainLine.append(.run(run()))
    }
    for _ in 0..<number(0...6) {
      program.events.append((number(0...60), acts(upTo: 3, isElsewhere: true)))
    }
  }

  private mutating func acts(upTo most: Int, isElsewhere: Bool) -> [Act] {
    var acts: [Act] = []
    for _ in 0..<number(0...most) { acts.append(act(isElsewhere: isElsewhere)) }
    return acts
  }

  private mutating func act(isElsewhere: Bool) -> Act {
    let isSpecial = oneIn(4)
    if isSpecial, let act = specialAct(isElsewhere: isElsewhere) { return act }
    switch number(0...(isElsewhere ? 19 : 25)) {
    case 0...4: return .signal(one(of: sources))
    case 5: return .wakeUp
    case 6...8:
      var places = [place()]
      if oneIn(3) { places.append(place()) }
      return .perform(block: number(0...Self.blockCount - 1), modes: places)
    case 9, 10: return .add(item(), place())
    case 11, 12: return .remove(item(), place())
    case 13: return .invalidate(item())
    case 14...17: return .setDate(one(of: timers), one(of: [nil, 0, -3, 2, 4, 7, 7, 15]))
    case 18: return .stop(all: oneIn(3))
    case 19: return oneIn(3) ? .makeCommon(one(of: [.other, .initialization])) : .wakeUp
    case 20: return .cancelPendingStop
    case 21, 22: return .spend(one(of: [1, 3, 9]))
    default: return .run(run())
    }
  }

  /// One that concerns a kind of item that not every program has; nil if this one has none.
  private mutating func specialAct(isElsewhere: Bool) -> Act? {
    switch number(0...9) {
    case 0...2:
      guard program.descriptorCount > 0 else { return nil }
      let ready: Program.Readiness = one(
        of: [.read, .read, .write, [.read, .write], .error, [.read, .hangUp], .hangUp, [], []])
      return .setReadiness(of: number(0...program.descriptorCount - 1), ready)
    case 3, 4:
      guard !descriptors.isEmpty else { return nil }
      return .setInterest(one(of: descriptors), drawInterest())
    case 5, 6: return ports.isEmpty ? nil : .send(one(of: ports))
    case 7: return ports.isEmpty ? nil : oneIn(2) ? .close(one(of: ports)) : .send(one(of: ports))
    case 8: return program.tokenCount > 0 ? .signalToken(number(0...program.tokenCount - 1)) : nil
    default: return update(isElsewhere: isElsewhere)
    }
  }

  private mutating func update(isElsewhere: Bool) -> Act {
    var changes: [Act] = []
    for _ in 0..<number(1...4) {
      switch number(0...9) {
      case 0...3: changes.append(.remove(item(), place()))
      case 4...6: changes.append(.add(item(), place()))
      case 7: changes.append(.invalidate(item()))
      // It is the loop's own thread that makes the changes, and so they may be whatever a callout does.
      default: changes.append(act(isElsewhere: false))
      }
    }
    return .update(changes)
  }

  private mutating func item() -> Int { number(0...program.items.count - 1) }
  private mutating func place() -> Program.Mode {
    one(of: Program.Mode.runnable + [.common, .common, .default])
  }

  private mutating func run() -> Act.Run {
    let mode = one(of: Program.Mode.runnable)
    let limit = one(of: [0, 0, 1, 5, 10, 30, nil] as [Int?])
    return Act.Run(in: mode, for: limit, way())
  }

  private mutating func way() -> Act.Way {
    switch number(0...7) {
    case 0, 1: .overStops(waitsWhenEmpty: oneIn(2))
    case 2: .untilHandled(one(of: sources + ports + descriptors))
    case 3 where program.tokenCount > 0: .untilToken(number(0...program.tokenCount - 1))
    default: .plain(returnAfterSource: oneIn(3), waitsWhenEmpty: oneIn(2))
    }
  }
}
