import Foundation

/// Whether other threads can use the loop while it calls its user.
struct CalloutLocked: SharedScenario {
  let name = "callout-locked"
  let title = "in a source's callouts, another thread queues a block on the loop and is waited for"
  let rules = Rules(25, cf: [49])

  private static let places = [
    "schedule", "schedule in common modes", "perform", "cancel by removal", "cancel by invalidation",
  ]

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let loop = Loop.current
    let place = Shared("")
    let probe: @Sendable () -> Void = {
      let isQueued = DispatchSemaphore(value: 0)
      onAnotherThread {
        loop.perform(in: Loop.defaultMode) {}
        isQueued.signal()
      }
      notes.note(place.value, isQueued.wait(timeout: .now() + 0.3) == .success)
    }
    func add(to mode: Loop.Mode) -> Loop.Source {
      loop.addSource(order: 0, to: mode, onSchedule: probe, onCancel: probe, perform: probe)
    }
    place.value = Self.places[0]
    let first = add(to: Loop.defaultMode)
    place.value = Self.places[1]
    let second = add(to: Loop.commonModes)
    place.value = Self.places[2]
    first.signal()
    loop.run(in: Loop.defaultMode, for: .zero)
    place.value = Self.places[3]
    first.remove(from: Loop.defaultMode)
    place.value = Self.places[4]
    second.invalidate()
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    var locked: [String] = []
    for place in Self.places where try !facts.isTrue(place) { locked.append(place) }
    guard locked.isEmpty else {
      return Finding("it would wait for ever in: " + locked.joined(separator: ", "), isRight: false)
    }
    return Finding("the loop was free in all \(Self.places.count)", isRight: true)
  }
}
