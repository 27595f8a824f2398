import Workbench

/// A scenario that was played on both sides, and what came of it.
struct Row: Sendable {
  let scenario: any Scenario
  let coreFoundation: Outcome
  let mainspring: Outcome
  let verdict: Verdict

  /// One side: what was measured, and what it means, as far as that is known.
  struct Outcome: Sendable {
    let measurement: Measurement?
    let finding: Result<Finding, NotMeasured>

    /// What to show of it.
    var text: String {
      switch finding {
      case .success(let finding): finding.text
      case .failure(let failure): failure.reason
      }
    }
  }

  init(_ scenario: any Scenario, coreFoundation: Outcome, mainspring: Outcome) {
    self.scenario = scenario
    self.coreFoundation = coreFoundation
    self.mainspring = mainspring
    verdict =
      if case .success(let theirs) = coreFoundation.finding, case .success(let ours) = mainspring.finding {
        Verdict(coreFoundation: theirs, mainspring: ours)
      } else {
        .notMeasured
      }
  }

  /// Plays both sides, one after the other.
  init(measuring scenario: any Scenario, progress: (Side) -> Void) {
    func outcome(_ side: Side) -> Outcome {
      progress(side)
      do throws(ChildProcess.StartError) {
        let measurement = try SideProcess(scenario: scenario, side: side).measure()
        return Outcome(measurement: measurement, finding: scenario.finding(of: measurement))
      } catch {
        return Outcome(measurement: nil, finding: .failure(NotMeasured(reason: error.description)))
      }
    }
    self.init(scenario, coreFoundation: outcome(.coreFoundation), mainspring: outcome(.mainspring))
  }
}
