import Workbench

/// The process of one scenario on one side: this program, started once more.
struct SideProcess: Sendable {
  let scenario: any Scenario
  let side: Side

  /// Runs it to its end, or to the scenario's limit.
  func measure() throws(ChildProcess.StartError) -> Measurement {
    var variables = ["SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin"]
    if let library = scenario.preloaded { variables.append("LD_PRELOAD=\(try library.path())") }
    let outcome = try ChildProcess(
      program: "/proc/self/exe",
      arguments: ["--scenario=\(scenario.name)", "--side=\(side.rawValue)"], variables: variables,
      limit: scenario.limit
    ).run()
    let complaint = outcome.complaint.split(separator: "\n").last.map(String.init) ?? ""
    return Measurement(facts: Facts(output: outcome.output), end: outcome.end, complaint: complaint)
  }
}
