import Synchronization

/// What is left when enough stacks were taken.
struct StressOutcome {
  let tally: Tally
  let seconds: Double
  let residentBefore: Int
  let residentAfter: Int
  let stormCount: Int

  func table(_ work: Work) -> String {
    let share = Double(tally.complete) / Double(max(1, tally.taken))
    var rows: [(String, String)] = [
      ("stacks", "\(tally.taken) in \(Int(seconds)) s, \(Int(Double(tally.taken) / seconds)) a second"),
      ("  by signal, passive", "\(tally.bySignal), \(tally.passive)"),
      ("  complete", "\(tally.complete), \(Self.percent(share)) %"),
      ("  incomplete", Self.list(tally.incomplete)),
      ("not taken", Self.list(tally.failures)),
      ("frames, of them named", "\(tally.frames), \(tally.symbolicated)"),
      ("calls issued again", "\(tally.restarted)"),
      (
        "handler p50, p99, max",
        [tally.pauses.percentile(0.5), tally.pauses.percentile(0.99), tally.pauses.largest].map {
          Self.microseconds($0)
        }
        .joined(separator: ", ") + " µs"
      ),
      (
        "waits",
        "\(work.waits.value), of them EINTR \(work.interruptedWaits.value), short \(work.shortWaits.value)"
      ),
      ("writes of 1 MiB", "\(work.writes.value), of them short \(work.shortWrites.value)"),
      ("signals of the storm", "\(stormCount)"),
      ("memory", "\(residentBefore >> 10) MiB after a tenth, \(residentAfter >> 10) MiB at the end"),
    ]
    rows.append(
      ("rounds of work", zip(work.names, work.rounds).map { "\($0) \($1.value)" }.joined(separator: ", ")))
    rows += tally.examples.map { ("  such as", $0) }
    return rows.map { $0.padding(24) + $1 }.joined(separator: "\n")
  }

  func complaints(_ work: Work, growthMax: Int, completeShareMin: Double) -> [String] {
    var complaints: [String] = []
    if work.interruptedWaits.value > 0 {
      complaints.append("waits saw an error: \(Self.list(work.interruptions.withLock { $0 }))")
    }
    if work.shortWaits.value > 0 { complaints.append("\(work.shortWaits.value) waits were too short") }
    if Double(tally.complete) < completeShareMin * Double(tally.taken) {
      complaints.append("stacks are incomplete")
    }
    if residentAfter - residentBefore > growthMax { complaints.append("the memory has grown") }
    for (name, rounds) in zip(work.names, work.rounds) where rounds.value == 0 {
      complaints.append("\(name) stood still")
    }
    return complaints
  }

  private static func list(_ counts: [String: Int]) -> String {
    let parts = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
    return parts.isEmpty ? "none" : parts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  private static func microseconds(_ nanoseconds: UInt64) -> String {
    let tenths = (nanoseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func percent(_ share: Double) -> String {
    let thousandths = Int(share * 100_000)
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

extension String {
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
