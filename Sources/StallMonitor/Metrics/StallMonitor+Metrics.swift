import Mainspring
import StallReport

extension StallMonitor {
  /// What the monitor has found since it started, in Prometheus' text format, to be served at `/metrics`. Any thread.
  ///
  /// - `mainspring_stalls_total`, `mainspring_stall_seconds_total`, by `loop` and `kind`: of those that are over.
  /// - `mainspring_stall_reports_total` by `fate`: `kept` in the folder, only `counted`, `failed` to be written.
  /// - `mainspring_pass_seconds` by `loop`, a histogram of every pass, where `Configuration.measuresLag` asks for it. Loops
  ///   of one name are added up.
  ///
  /// - Complexity: O(loops and kinds).
  public func metricsText() -> String {
    guard let counts, let lags else { return "" }
    return Self.text(of: counts.current) + Self.text(of: lags.current)
  }

  private static func text(of state: StallCounts.State) -> String {
    typealias Text = PrometheusText
    let stalls = state.stalls.sorted { $0.key < $1.key }
    func labels(_ key: StallCounts.Key) -> [(name: String, value: String)] {
      [("loop", key.loop), ("kind", key.kind.rawValue)]
    }
    var text = Text.head(name: "mainspring_stalls_total", type: "counter", help: "Stalls that are over.")
    for (key, sum) in stalls { text += Text.sample("mainspring_stalls_total", labels(key), "\(sum.count)") }
    text += Text.head(
      name: "mainspring_stall_seconds_total", type: "counter", help: "How long they lasted together.")
    for (key, sum) in stalls {
      text += Text.sample("mainspring_stall_seconds_total", labels(key), Text.seconds(sum.time))
    }
    text += Text.head(
      name: "mainspring_stall_reports_total", type: "counter",
      help: "What became of reports on their way to the folder.")
    for fate in StallCounts.Fate.allCases {
      text += Text.sample(
        "mainspring_stall_reports_total", [("fate", fate.rawValue)], "\(state.reports[fate] ?? 0)")
    }
    return text
  }

  private static func text(of lags: [(name: String, lag: RunLoop.LagHistogram)]) -> String {
    guard !lags.isEmpty else { return "" }
    let name = "mainspring_pass_seconds"
    var text = PrometheusText.head(
      name: name, type: "histogram", help: "How long passes of watched loops took.")
    var rest = lags[...]
    while let first = rest.first {
      let same = rest.prefix { $0.name == first.name }
      rest = rest.dropFirst(same.count)
      let sum = same.dropFirst().reduce(first.lag) { $0 + $1.lag }
      text += sum.prometheusSamples(name: name, labels: [("loop", first.name)])
    }
    return text
  }
}
