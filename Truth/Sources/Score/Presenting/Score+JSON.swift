import Documents
import Goals

extension Score {
  /// The same for tools.
  public func json(stallsMin: Int, baselines: BaselineTable?) -> String {
    JSON.object([
      ("threshold_ms", .number(Double(threshold) / 1e6)), ("seed", .bare("\(seed)")),
      ("duration_s", .number(Double(duration) / 1e9)), ("total", Self.json(total)),
      (
        "cells",
        .array(cells.map { .object([("name", .text($0.name)), ("figures", Self.json($0.tally))]) })
      ),
      (
        "curve",
        .array(
          zip(Curve.bounds, curve.counts).map { .object([("from_T", .number($0)), ("told", Self.json($1))]) })
      ),
      (
        "confusion",
        .object(
          total.confusion.sorted { $0.key < $1.key }.map { expected, row in
            (expected, .object(row.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }))
          })
      ),
      ("goals", .array(goals(stallsMin: stallsMin).map(\.json))),
      (
        "baselines",
        .array(
          (baselines?.scores ?? []).map { score in
            .object([
              ("rule", .text(score.teller)), ("recall", Self.json(score.total.found)),
              ("precision", Self.json(score.total.right)),
            ])
          })
      ),
    ]).text() + "\n"
  }

  private static func json(_ proportion: Proportion) -> JSON {
    .object([
      ("share", .number(proportion.share)), ("of", .number(proportion.total)),
      ("low", .number(proportion.interval?.lowerBound)), ("high", .number(proportion.interval?.upperBound)),
    ])
  }

  private static func json(_ tally: Tally) -> JSON {
    .object([
      ("injections", .number(tally.injections)), ("recall", json(tally.found)),
      ("precision", json(tally.right)),
      ("exact", json(tally.exact)), ("on_path", json(tally.onPath)), ("class", json(tally.classes)),
      ("phase", json(tally.phases)), ("kind", json(tally.kinds)), ("duration", json(tally.durations)),
      ("covered", json(tally.covered)), ("unjudged", .number(tally.unjudged)),
      ("late_p50_ms", .number(percentile(0.5, of: tally.detection))),
      ("late_p99_ms", .number(percentile(0.99, of: tally.detection))),
      ("duration_error_p99_ms", .number(percentile(0.99, of: tally.durationErrors))),
      ("samples", .number(tally.samples)), ("dropped", .number(tally.dropped)),
      ("cut", .number(tally.cutShort)),
      ("handler_p50_us", .number(percentile(0.5, of: tally.costs))),
      ("handler_p99_us", .number(percentile(0.99, of: tally.costs))),
    ])
  }
}
