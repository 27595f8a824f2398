import Workbench

/// What a side's facts mean.
struct Finding: Sendable, Equatable {
  /// What was measured, in a few words.
  let text: String
  /// Whether the side does what the rule says.
  let isRight: Bool
  /// What it costs, in a unit that both sides share; less is better. Only where cost is what is compared.
  let cost: Double?

  init(_ text: String, isRight: Bool, cost: Double? = nil) {
    self.text = text
    self.isRight = isRight
    self.cost = cost
  }
}

extension Scenario {
  /// What the measurement means, or why it means nothing.
  func finding(of measurement: Measurement) -> Result<Finding, NotMeasured> {
    switch measurement.end {
    case .died, .overdue:
      return .success(
        finding(
          death: measurement.end, during: measurement.facts.during, complaint: measurement.complaint))
    case .failed: return .failure(NotMeasured(reason: "\(measurement.end): \(measurement.complaint)"))
    case .returned:
      do throws(MissingFact) {
        return .success(try finding(measurement.facts))
      } catch {
        return .failure(NotMeasured(reason: "no fact '\(error.key)'"))
      }
    }
  }
}

/// Why a side has no finding.
struct NotMeasured: Error, Equatable {
  let reason: String
}
