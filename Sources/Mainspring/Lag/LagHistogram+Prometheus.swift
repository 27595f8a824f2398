import LinuxKernel

extension RunLoop.LagHistogram {
  /// The samples of this histogram in Prometheus' text format, without the lines that describe the metric: bounds in
  /// seconds, counts that add up.
  ///
  ///     # TYPE loop_pass_seconds histogram
  ///     loop_pass_seconds_bucket{loop="main",le="0.000015625"} 1290
  ///     …
  ///     loop_pass_seconds_sum{loop="main"} 0.81
  ///     loop_pass_seconds_count{loop="main"} 1431
  ///
  /// - Parameters:
  ///   - name: the metric's, of letters, digits, `_` and `:`; a precondition.
  ///   - labels: names and values; names as for `name`, without `:`, and not `le`.
  public func prometheusSamples(name: String, labels: [(name: String, value: String)] = []) -> String {
    require(!labels.contains { $0.name == "le" }, "the label 'le' is the histogram's own")
    let common = labels.map { PrometheusText.label($0.name, $0.value) }
    PrometheusText.requireName(name)
    var lines: [String] = []
    var seen: UInt64 = 0
    let bounds = Self.upperBounds.map { PrometheusText.seconds($0) } + ["+Inf"]
    for (bound, count) in zip(bounds, counts) {
      seen &+= count
      let all = (common + [PrometheusText.label("le", bound)]).joined(separator: ",")
      lines.append("\(name)_bucket{\(all)} \(seen)")
    }
    let braces = common.isEmpty ? "" : "{\(common.joined(separator: ","))}"
    lines.append("\(name)_sum\(braces) \(PrometheusText.seconds(total))")
    lines.append("\(name)_count\(braces) \(seen)")
    return lines.joined(separator: "\n") + "\n"
  }
}
