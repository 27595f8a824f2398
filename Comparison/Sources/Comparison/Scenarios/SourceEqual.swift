import CoreFoundation

import class Mainspring.RunLoop

/// Two sources that do the same.
struct SourceEqual: Scenario {
  let name = "source-equal"
  let title = "two sources with the same order number and the same function: signal each, remove the second"
  let rules = Rules(25, cf: [50])

  private static let performed = Shared(0)

  func play(_ side: Side, _ notes: Notes) {
    switch side {
    case .coreFoundation:
      play(CoreFoundationLoop.current, notes) { loop in
        // SAFETY: the function takes no context.
        unsafe loop.addSource(order: 0, to: CoreFoundationLoop.defaultMode) { context in
          unsafe context.perform = { _ in Self.performed.change { $0 += 1 } }
        }
      }
    case .mainspring:
      play(MainspringLoop.current, notes) { loop in
        loop.addSource(to: MainspringLoop.defaultMode) { Self.performed.change { $0 += 1 } }
      }
    }
  }

  private func play<Loop: ComparedLoop>(_ loop: Loop, _ notes: Notes, add: (Loop) -> Loop.Source) {
    loop.keepAlive(Loop.defaultMode)
    let first = add(loop)
    let second = add(loop)
    notes.note("second_performed", performs(second, on: loop))
    second.remove(from: Loop.defaultMode)
    notes.note("first_performed", performs(first, on: loop))
  }

  private func performs<Loop: ComparedLoop>(_ source: Loop.Source, on loop: Loop) -> Bool {
    Self.performed.value = 0
    source.signal()
    loop.run(in: Loop.defaultMode, for: .zero)
    return Self.performed.value == 1
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let second = try facts.isTrue("second_performed")
    let first = try facts.isTrue("first_performed")
    let both = second && first ? "each is itself: " : ""
    return Finding(
      both + "the second was \(second ? "" : "never ")performed; "
        + "after it was removed, the first \(first ? "still was" : "no longer was")",
      isRight: second && first)
  }
}
