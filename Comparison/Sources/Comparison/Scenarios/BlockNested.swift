/// A block that waits, by a nested run, for the block that is queued behind it.
struct BlockNested: SharedScenario {
  let name = "block-nested"
  let title = "block A queues C and runs the loop until B, queued behind A, has run"
  let rules = Rules(19, cf: [41])

  func play<Loop: ComparedLoop>(on _: Loop.Type, _ notes: Notes) {
    let order = Shared<[String]>([])
    let waited = Shared(0.0)
    let ranInside = Shared(false)
    _ = Loop.onOwnThread { loop in
      loop.keepAlive(Loop.defaultMode)
      loop.perform(in: Loop.defaultMode) {
        order.change { $0.append("A") }
        loop.perform(in: Loop.defaultMode) { order.change { $0.append("C") } }
        let watch = Stopwatch()
        loop.run(in: Loop.defaultMode, for: .milliseconds(300))
        waited.value = watch.milliseconds
        ranInside.value = order.value.contains("B")
      }
      loop.perform(in: Loop.defaultMode) {
        order.change { $0.append("B") }
        loop.stop()
      }
      // Twice: B's stop ends the one or the other run.
      loop.run(in: Loop.defaultMode, for: .milliseconds(600))
      loop.run(in: Loop.defaultMode, for: .zero)
    }
    notes.note("b_ran_inside", ranInside.value)
    notes.note("waited_ms", waited.value)
    notes.note("order", order.value.joined(separator: " "))
  }

  func finding(_ facts: Facts) throws(MissingFact) -> Finding {
    let waited = milliseconds(try facts.number("waited_ms"))
    let order = try facts.text("order")
    let ran = try facts.isTrue("b_ran_inside")
    return Finding(
      (ran ? "B ran, waited for \(waited)" : "waited \(waited) in vain") + "; order \(order)",
      isRight: ran && order == "A B C")
  }
}
