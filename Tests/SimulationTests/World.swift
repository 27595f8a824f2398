/// A loop that programs can be executed on: the real one, or the model.
protocol World: AnyObject {
  /// Milliseconds since the start.
  var now: Int { get }
  func make(_ kind: Kind, as item: Int, for player: Player)
  func signal(_ item: Int)
  func wakeUp()
  func perform(in modes: [String], for player: Player, block: Int)
  func add(_ item: Int, to mode: String) -> Bool
  func remove(_ item: Int, from mode: String)
  func invalidate(_ item: Int)
  func setDate(_ item: Int, to date: Int?) -> Bool
  func spend(_ time: Int)
  func run(_ ways: Act.Ways) -> String
  func stop(all: Bool) -> Bool
  func cancelPendingStop() -> Bool
  func makeCommon(_ mode: String)
  func script(after delay: Int, _ event: @escaping () -> Void)
  /// Lets go of everything, the player included.
  func end()
}

/// Executes a program on a world and writes down what was called when, and what was answered.
final class Player: @unchecked Sendable {
  // Sendable: used on the one thread of its test, where both worlds call it.
  let program: Program
  let world: any World
  private(set) var log: [String] = []
  private var calls: [Int]
  private var depth = 0

  init(_ program: Program, on world: any World) {
    self.program = program
    self.world = world
    calls = program.items.map { _ in 0 }
  }

  func play() -> [String] {
    for (index, kind) in program.items.enumerated() { world.make(kind, as: index, for: self) }
    for event in program.events {
      world.script(after: event.after) { [self] in
        note("elsewhere")
        for act in event.acts { perform(act) }
      }
    }
    for act in program.mainLine { perform(act) }
    let log = log
    world.end()
    return sorted("schedule", in: sorted("cancel", in: log))
  }

  /// In which order several sources hear that their mode became common, or one of several modes, is nobody's promise.
  private func sorted(_ word: String, in lines: [String]) -> [String] {
    var sorted: [String] = []
    for group in lines.split(whereSeparator: { !$0.contains(word) }) {
      sorted += lines[sorted.count..<group.startIndex]
      sorted += group.sorted()
    }
    return sorted + lines[sorted.count...]
  }

  func note(_ line: String) { log.append("\(world.now): \(String(repeating: "  ", count: depth))\(line)") }

  func called(_ item: Int, _ what: String) {
    note("\(what) \(item)")
    let call = calls[item]
    calls[item] += 1
    guard call < program.behaviours[item].count else { return }
    for act in program.behaviours[item][call] { perform(act) }
  }

  func ran(block: Int) {
    note("block \(block)")
    // Blocks queue blocks: each has its doings only while the log is short.
    guard log.count < 400 else { return }
    for act in program.blocks[block] { perform(act) }
  }

  private func perform(_ act: Act) {
    guard log.count < 2000 else { return }
    switch act {
    case .signal(let item): world.signal(item)
    case .wakeUp: world.wakeUp()
    case .perform(let block, let modes): world.perform(in: modes, for: self, block: block)
    case .add(let item, let mode): note("add \(item) to \(mode): \(world.add(item, to: mode))")
    case .remove(let item, let mode):
      note("remove \(item) from \(mode)")
      world.remove(item, from: mode)
    case .invalidate(let item):
      note("invalidate \(item)")
      world.invalidate(item)
    case .setDate(let item, let delay):
      note("set date of \(item): \(world.setDate(item, to: delay.map { world.now + $0 }))")
    case .spend(let time): world.spend(time)
    case .run(let ways):
      guard depth < 3 else { return }
      note("run in \(ways.mode) for \(ways.limit)")
      depth += 1
      let result = world.run(ways)
      depth -= 1
      note(result)
    case .stop(let all): note("stop: \(world.stop(all: all))")
    case .cancelPendingStop: note("cancel stop: \(world.cancelPendingStop())")
    case .makeCommon(let mode): world.makeCommon(mode)
    }
  }
}
