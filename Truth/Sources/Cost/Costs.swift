import Documents
import Goals

/// What was measured, and what is asked of it.
struct Costs {
  var pass: PassCost
  var idle: IdleWakeUps

  static func measure() throws -> Costs {
    Costs(pass: try PassCost.measure(), idle: try IdleWakeUps.measure())
  }

  var goals: [Goal] {
    [
      Goal(
        name: "a watched pass, more than another", value: pass.busy.difference, limit: 10, unit: .nanoseconds),
      Goal(
        name: "a watched pass that waits, more than another", value: pass.waiting.difference, limit: nil,
        unit: .nanoseconds),
      Goal(
        name: "a pass whose lag is measured, more than another", value: pass.measured.difference, limit: nil,
        unit: .nanoseconds),
      Goal(
        name: "the same by phase, with one callout", value: pass.measuredByPhase.difference, limit: nil,
        unit: .nanoseconds),
      Goal(
        name: "allocations of \(PassCost.watchedPasses) watched passes, more than of others",
        value: Double(max(0, pass.allocations)), limit: 0, unit: .count),
      Goal(
        name: "wake-ups of the monitor in \(IdleWakeUps.seconds) s while four loops wait",
        value: Double(idle.count), limit: 0, unit: .count),
    ]
  }

  var isGood: Bool { goals.allSatisfy(\.isMet) }

  /// The goals in lines, as those of the score.
  var text: String { goals.map(\.line).joined() }

  /// The same for tools, and what the passes took, ns.
  var json: String {
    JSON.object([
      ("pass_plain_ns", .number(pass.busy.plain)), ("pass_watched_ns", .number(pass.busy.watched)),
      ("waiting_pass_plain_ns", .number(pass.waiting.plain)),
      ("waiting_pass_watched_ns", .number(pass.waiting.watched)),
      ("measured_pass_ns", .number(pass.measured.watched)),
      ("measured_by_phase_pass_ns", .number(pass.measuredByPhase.watched)),
      ("goals", .array(goals.map(\.json))),
    ]).text() + "\n"
  }
}
