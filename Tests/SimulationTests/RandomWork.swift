import MainspringTesting
import SimulationPrograms

/// Gives half of the programs batches and idle queues, and has all that they do give these something to do.
///
/// It draws by itself, so that the programs of seeds that are known stay the same without it.
struct RandomWork {
  private var random: SeededRandom
  private var program: Program
  private var batches: [Int] = []
  private var queues: [Int] = []
  private var blocks = 0..<0

  static func added(to program: Program) -> Program {
    var drawn = RandomWork(program)
    guard drawn.oneIn(2) else { return program }
    drawn.drawItems()
    drawn.drawBlocks()
    drawn.sprinkle()
    return drawn.program
  }

  private init(_ program: Program) {
    self.program = program
    random = SeededRandom(seed: program.seed ^ 0x776f_726b)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func drawItems() {
    let old = program.items.count
    for _ in 0..<number(1...3) {
      if oneIn(2) {
        batches.append(program.items.count)
        program.items.append(.batch(order: number(-1...1)))
      } else {
        queues.append(program.items.count)
        program.items.append(
          .idleQueue(
            capacity: oneIn(2) ? number(1...3) : nil,
            Program.Overflow.allCases.randomElement(using: &random)!, order: number(-1...1)))
      }
    }
    for item in old..<program.items.count {
      // What a batch does at its updates is drawn as everything else; what an idle queue does is in blocks.
      var calls: [[Act]] = []
      for _ in 0..<number(0...3) { calls.append(someActs()) }
      program.behaviours.append(calls)
      program.mainLine.insert(.add(item, place()), at: 0)
    }
  }

  /// Blocks of their own for tasks, so that those who perform blocks do what they did.
  private mutating func drawBlocks() {
    blocks = program.blocks.count..<program.blocks.count + 5
    for _ in blocks { program.blocks.append(someActs()) }
  }

  /// A few acts that somebody else does, too, and some time: turns are bounded by it.
  private mutating func someActs() -> [Act] {
    let others = program.blocks.prefix(10).flatMap { $0 } + program.mainLine.suffix(6)
    var acts: [Act] = oneIn(3) ? [.spend(number(1...3))] : []
    for _ in 0..<number(0...2) { if let act = others.randomElement(using: &random) { acts.append(act) } }
    return acts
  }

  /// Puts acts of its own between those that are there.
  private mutating func sprinkle() {
    for index in program.blocks.indices { program.blocks[index] = sprinkled(program.blocks[index], 3) }
    for item in program.behaviours.indices {
      for call in program.behaviours[item].indices {
        program.behaviours[item][call] = sprinkled(program.behaviours[item][call], 3)
      }
    }
    for index in program.events.indices {
      program.events[index].acts = sprinkled(program.events[index].acts, 2)
    }
    for _ in 0..<4 { program.mainLine = sprinkled(program.mainLine, 1) }
  }

  private mutating func sprinkled(_ acts: [Act], _ odds: Int) -> [Act] {
    guard oneIn(odds) else { return acts }
    var acts = acts
    acts.insert(act(), at: number(0...acts.count))
    if oneIn(2) { acts.insert(act(), at: number(0...acts.count)) }
    return acts
  }

  private mutating func act() -> Act {
    let own = batches + queues
    switch number(0...9) {
    case 0: return .remove(own.randomElement(using: &random)!, place())
    case 1: return .add(own.randomElement(using: &random)!, place())
    case 2 where oneIn(3): return .invalidate(own.randomElement(using: &random)!)
    case 3:
      if let batch = batches.randomElement(using: &random) { return .flush(batch) }
      return task()
    case 4...6: return task()
    default: return mark()
    }
  }

  private mutating func mark() -> Act {
    guard let batch = batches.randomElement(using: &random) else { return task() }
    return oneIn(5) ? .unmark(batch, number(0...3)) : .mark(batch, number(0...3))
  }

  private mutating func task() -> Act {
    guard let queue = queues.randomElement(using: &random) else { return mark() }
    let key = oneIn(2) ? number(0...2) : nil
    if oneIn(6) { return .cancelTask(queue, key: key ?? 0) }
    return .addTask(
      queue, Act.Task(block: blocks.randomElement(using: &random) ?? 0, key: key, priority: number(0...2)))
  }

  private mutating func place() -> Program.Mode {
    (Program.Mode.runnable + [.common, .common, .default]).randomElement(using: &random)!
  }
}
