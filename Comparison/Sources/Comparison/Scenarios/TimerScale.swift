/// What timers cost among many others.
struct TimerScale: SharedScenario {
  let name = "timer-scale"
  let title = "fire, move, cancel a timer among 1,000, then among 100,000 others: processor time"
  let rules = Rules(38)
  let limit = Duration.seconds(20)

  private static let counts = [1_000, 100_000]
  private static let operations = 500

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    for count in Self.counts {
      notes.begin("\(count) timers")
      let mode = Loop.mode("of \(count) timers")
      let loop = Loop.current
      var random = SplitMix(state: UInt64(count))
      let timers = (0..<count).map { _ in
        loop.addTimer(after: random.delay(), every: .seconds(500), to: mode) { _ in }
      }
      measureFires(on: loop, in: mode, count, notes)
      let move = ProcessFigures.processorMicroseconds(perOneOf: Self.operations) {
        for _ in 0..<Self.operations {
          timers[random.index(below: count)].setFireDate(after: random.delay())
        }
      }
      notes.note("move_\(count)_us", move)
      let step = count / Self.operations
      let cancel = ProcessFigures.processorMicroseconds(perOneOf: Self.operations) {
        for index in 0..<Self.operations { timers[index * step].invalidate() }
      }
      notes.note("cancel_\(count)_us", cancel)
    }
  }

  private func measureFires<Loop: ComparedLoop>(
    on loop: Loop, in mode: Loop.Mode, _ count: Int, _ notes: Notes
  ) {
    let fires = Shared(0)
    let fast = loop.addTimer(after: .zero, every: .microseconds(100), to: mode) { _ in
      fires.change { $0 += 1 }
    }
    let used = ProcessFigures.processorMicroseconds(perOneOf: 1) {
      loop.run(in: mode, for: .milliseconds(500))
    }
    fast.invalidate()
    notes.note("fires_\(count)", fires.value)
    notes.note("fire_\(count)_us", used / Double(max(1, fires.value)))
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    var few: [Double] = []
    var many: [Double] = []
    for operation in ["fire", "move", "cancel"] {
      few.append(try facts.number("\(operation)_\(Self.counts[0])_us"))
      many.append(try facts.number("\(operation)_\(Self.counts[1])_us"))
    }
    // A hundred times as many may cost somewhat more, for the processor's caches; not ten times as much.
    let isFlat = zip(few, many).allSatisfy { $1 < 10 * max($0, 1) }
    func list(_ costs: [Double]) -> String { costs.map(microseconds).joined(separator: ", ") }
    return Finding("\(list(few)) → \(list(many))", isRight: isFlat, cost: many.reduce(0, +))
  }
}

/// The same numbers on both sides and at each start.
private struct SplitMix {
  var state: UInt64

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }
  /// Between 1000 and 2000 seconds.
  mutating func delay() -> Duration { .milliseconds(1_000_000 + Int64(next() % 1_000_000)) }
}
