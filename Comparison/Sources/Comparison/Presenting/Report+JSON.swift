import Foundation

extension Report {
  /// Everything, for tools: the facts as they were noted, and what they were taken to mean.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(
      machine: "\(machine)", seconds: duration / .seconds(1), isAcceptable: isAcceptable,
      scenarios: rows.map(Document.Scenario.init))
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("texts, truths and finite numbers are always JSON: \(error)")
    }
  }

  private struct Document: Encodable {
    let machine: String
    let seconds: Double
    let isAcceptable: Bool
    let scenarios: [Scenario]

    struct Scenario: Encodable {
      let name: String
      let title: String
      let rules: [String]
      let verdict: String
      let coreFoundation: Outcome
      let mainspring: Outcome

      init(_ row: Row) {
        name = row.scenario.name
        title = row.scenario.title
        rules = row.scenario.rules.names.map { $0.replacing("\u{A0}", with: " ") }
        verdict = row.verdict.rawValue
        coreFoundation = Outcome(row.coreFoundation)
        mainspring = Outcome(row.mainspring)
      }
    }

    struct Outcome: Encodable {
      let text: String
      var isRight: Bool?
      var cost: Double?
      var end: String?
      var facts: [String: String] = [:]
      var complaint: String?

      init(_ outcome: Row.Outcome) {
        text = outcome.text
        if case .success(let finding) = outcome.finding { (isRight, cost) = (finding.isRight, finding.cost) }
        guard let measurement = outcome.measurement else { return }
        end = "\(measurement.end)"
        facts = Dictionary(uniqueKeysWithValues: measurement.facts.sorted.map { ($0.key, $0.value) })
        complaint = measurement.complaint.isEmpty ? nil : measurement.complaint
      }
    }
  }
}
