/// The last thing in a mode goes while a run sleeps there, or is about to.
struct RemoveLast: SharedScenario {
  let name = "remove-last"
  let title = "the last source, timer or block of a mode goes during a run of 500 ms"
  let rules = Rules(9, cf: [30])

  private enum Way: String, CaseIterable {
    case sourceFromElsewhere, timerFromElsewhere, sourceBeforeWaiting, blockThatRan

    var words: String {
      switch self {
      case .sourceFromElsewhere: "source removed by a thread"
      case .timerFromElsewhere: "timer ended by a thread"
      case .sourceBeforeWaiting: "source removed by an observer"
      case .blockThatRan: "only block performed"
      }
    }
  }

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    for way in Way.allCases {
      let run = Loop.onOwnThread { loop in
        Self.arrange(way, in: loop)
        let watch = Stopwatch()
        let ending = loop.run(in: Loop.defaultMode, for: .milliseconds(500))
        return (ending: ending, milliseconds: watch.milliseconds)
      }.value
      notes.note("\(way)_ending", run.ending)
      notes.note("\(way)_ms", run.milliseconds)
    }
  }

  private static func arrange<Loop: ComparedLoop>(_ way: Way, in loop: Loop) {
    let mode = Loop.defaultMode
    switch way {
    case .sourceFromElsewhere:
      let source = loop.addSource(to: mode) {}
      onAnotherThread {
        pause(.milliseconds(50))
        source.remove(from: mode)
      }
    case .timerFromElsewhere:
      let timer = loop.addTimer(after: .seconds(100), to: mode) {}
      onAnotherThread {
        pause(.milliseconds(50))
        timer.invalidate()
      }
    case .sourceBeforeWaiting:
      let source = loop.addSource(to: mode) {}
      loop.addObserver(of: .beforeWaiting, to: mode) { source.remove(from: mode) }
    case .blockThatRan: loop.perform(in: mode) {}
    }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    var slept: [String] = []
    var latest = 0.0
    for way in Way.allCases {
      if try facts.text("\(way)_ending") == Ending.finished.rawValue {
        latest = max(latest, try facts.number("\(way)_ms"))
      } else {
        slept.append(way.words)
      }
    }
    guard slept.isEmpty else {
      return Finding(
        "slept on to the limit in \(slept.count) of \(Way.allCases.count): " + slept.joined(separator: ", "),
        isRight: false)
    }
    return Finding(
      "finished in all \(Way.allCases.count), after \(milliseconds(latest)) at most", isRight: true)
  }
}
