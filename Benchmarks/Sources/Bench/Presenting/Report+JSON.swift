import Foundation
import Workbench

extension Report {
  /// Everything, for tools: every figure of every run, and the goals.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(Document(self)), as: UTF8.self) + "\n"
    } catch {
      preconditionFailure("texts, truths and finite numbers are always JSON: \(error)")
    }
  }

  private struct Document: Encodable {
    let machine: String
    let date: String
    let repetitions: Int
    let seconds: Double
    let loadBefore: Double
    let loadAfter: Double
    let cells: [Cell]
    let goals: [Goal]

    struct Cell: Encodable {
      let peer: String
      let workload: String
      let size: Int
      let isTraced: Bool
      let load: String
      let runs: [[String: Double]]
    }

    struct Goal: Encodable {
      let workload: String
      let text: String
      let load: String
      let ours: Double
      let limits: Double
      let isReached: Bool
      let floor: Double?
    }

    init(_ report: Report) {
      machine = report.circumstances.machine.description
      date = report.circumstances.date
      repetitions = report.circumstances.repetitions
      seconds = report.circumstances.duration / .seconds(1)
      (loadBefore, loadAfter) = report.circumstances.loadAverages
      cells = report.samples.figures.map { key, figures in
        Cell(
          peer: key.peer, workload: key.cell.workload, size: key.cell.size, isTraced: key.cell.isTraced,
          load: key.load.rawValue, runs: figures.map(\.numbers))
      }.sorted { ($0.workload, $0.size, $0.peer, $0.load) < ($1.workload, $1.size, $1.peer, $1.load) }
      goals = report.goals.flatMap { goal in
        report.loads.compactMap { load in
          goal.judged(by: report.samples, under: load).map { judgement in
            Goal(
              workload: goal.workload, text: goal.text, load: load.rawValue, ours: judgement.ours,
              limits: judgement.theirs, isReached: judgement.isReached, floor: judgement.floor)
          }
        }
      }
    }
  }
}
