/// A run with a limit, and in one of its callouts a run that lasts longer than that.
struct NestedTimeoutLost: SharedScenario {
  let name = "nested-timeout-lost"
  let title = "a run of 50 ms, in one of whose callouts the loop is run for 200 ms"
  let rules = Rules(10, 13, cf: [76])
  let limit = Duration.seconds(20)

  /// Whose callout it is.
  private enum Place: String, CaseIterable {
    case block, beforeTimers, beforeSources, beforeWaiting, afterWaiting, timer, source
  }

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    for place in Place.allCases {
      // Much longer than it should take: on a busy machine threads wait for a processor.
      let outer = Loop.onOwnThread(patience: .seconds(2)) { loop in
        loop.keepAlive(Loop.defaultMode)
        Self.plant(in: place, of: loop) { loop.run(in: Loop.defaultMode, for: .milliseconds(200)) }
        let watch = Stopwatch()
        loop.run(in: Loop.defaultMode, for: .milliseconds(50))
        return watch.milliseconds
      }
      notes.note("\(place)_returned", !outer.wasRescued)
      notes.note("\(place)_ms", outer.value)
    }
  }

  private static func plant<Loop: ComparedLoop>(
    in place: Place, of loop: Loop, _ nested: @escaping @Sendable () -> Void
  ) {
    switch place {
    case .block: loop.perform(in: Loop.defaultMode, nested)
    case .timer: loop.addTimer(after: .zero, to: Loop.defaultMode, handler: nested)
    case .source: loop.addSource(to: Loop.defaultMode, perform: nested).signal()
    default: loop.addObserver(of: Activity(rawValue: place.rawValue)!, to: Loop.defaultMode, once: nested)
    }
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    var lost: [String] = []
    var latest = 0.0
    for place in Place.allCases {
      if try facts.isTrue("\(place)_returned") {
        latest = max(latest, try facts.number("\(place)_ms"))
      } else {
        lost.append(place.rawValue)
      }
    }
    guard lost.isEmpty else {
      return Finding(
        "never returned in \(lost.count) of \(Place.allCases.count) callouts: "
          + lost.joined(separator: ", "), isRight: false)
    }
    return Finding(
      "returned in all \(Place.allCases.count), after \(milliseconds(latest)) at most", isRight: true)
  }
}
