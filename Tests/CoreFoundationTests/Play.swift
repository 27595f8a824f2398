import SimulationPrograms

/// A small program that is written down: its items are in the default mode, and in the end so are its runs.
struct Play {
  private var items: [Program.Kind] = []
  private var behaviours: [[[Act]]] = []
  private var stoppers: Set<Int> = []
  var blocks: [[Act]] = [[]]
  var main: [Act] = []

  let onePass = Act.run(
    Act.Run(in: .default, for: 0, .plain(returnAfterSource: false, waitsWhenEmpty: false)))

  mutating func add(_ kind: Program.Kind) -> Int {
    items.append(kind)
    behaviours.append([])
    main.append(.add(items.count - 1, .default))
    return items.count - 1
  }

  /// What an item does when it is called first.
  mutating func on(_ item: Int, _ acts: [Act]) { behaviours[item] = [acts] }

  /// A run of one pass that does not wait.
  mutating func pass() { main.append(onePass) }

  /// A run of one pass that waits: a timer ends it, the last of those that are due.
  mutating func passThatWaits() {
    let stopper = add(.repeatingTimer(every: AgreeingProgram.hour))
    stoppers.insert(stopper)
    main += [
      .setDate(stopper, 0),
      .run(Act.Run(in: .default, for: nil, .plain(returnAfterSource: false, waitsWhenEmpty: false))),
    ]
  }

  var program: Program {
    var program = Program(seed: 0)
    program.items = items
    program.behaviours = behaviours
    program.blocks = blocks
    program.mainLine = main
    program.stoppers = stoppers
    return program
  }
}
