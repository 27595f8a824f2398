/// One thing that is done with a run loop, played on each side in a process of its own, and the rule by which what was
/// measured there is judged.
protocol Scenario: Sendable {
  /// For the command line.
  var name: String { get }
  /// What is done, in plain words.
  var title: String { get }
  /// What it shows the keeping or breaking of.
  var rules: Rules { get }
  /// How long one side may take before it is said not to return.
  var limit: Duration { get }
  /// What the process is started with, so that something about the machine is different.
  var preloaded: PreloadedLibrary? { get }

  /// Plays one side in this process and notes what it measures.
  func play(_ side: Side, _ notes: Notes)

  /// What the facts of a side that returned mean. The same for both sides.
  func finding(_ facts: Facts) throws(MissingFact) -> Finding

  /// What it means that the side's process died, saying this last.
  func finding(death: Measurement.End, during step: String?, complaint: String) -> Finding
}

extension Scenario {
  var limit: Duration { .seconds(8) }
  var preloaded: PreloadedLibrary? { nil }

  func finding(death: Measurement.End, during step: String?, complaint: String) -> Finding {
    Finding("\(death)" + (step.map { ": \($0)" } ?? ""), isRight: false)
  }
}

/// A scenario that is literally the same on both sides.
protocol SharedScenario: Scenario {
  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes)
}

extension SharedScenario {
  func play(_ side: Side, _ notes: Notes) {
    switch side {
    case .coreFoundation: play(on: CoreFoundationLoop.self, notes)
    case .mainspring: play(on: MainspringLoop.self, notes)
    }
  }
}
