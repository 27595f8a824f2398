extension Report {
  /// What is known about the stall beside its stacks, most important first.
  var facts: [(label: String, fact: String)] {
    let known: [(String, String?)] =
      [("when", whenText)] + cycleTexts + [
        ("callout", kind == .starvation ? nil : calloutText),
        // The stack of a thread that does not run is where it happened to be.
        ("culprit", kind == .starvation ? nil : culpritText),
        ("items", itemsText), ("host", hostText), ("waits", isCycleKnown ? nil : waitText),
        ("process", processText), ("doubt", doubtText),
      ]
    return known.compactMap { label, fact in fact.map { (label, $0) } }
  }

  private var whenText: String {
    let start = CivilTime(time.startUnix).description
    return time.detectedAfter.map { "\(start), certain after \($0.spanText)" } ?? start
  }

  private var calloutText: String {
    guard let item = phase.item else { return phase.name.callout.printable }
    let late = item.late.flatMap { $0 > .zero ? ", \($0.spanText) late" : nil } ?? ""
    let made = item.madeAt.map { " made at \($0.description.printable)" } ?? ""
    let symbol = item.symbol.map { ": \($0.printable)" } ?? ""
    return item.kind.printable + made + late + symbol
  }

  private var culpritText: String? {
    let culprit = culprit
    guard let frame = culprit.frame else { return samples.isEmpty ? nil : "none of the program's code" }
    let place = stacks.frames[frame].location.map { " at \($0.description.printable)" } ?? ""
    return "\(culprit.name.printable)\(place), \(Int((culprit.share * 100).rounded())) % of the sampled time"
  }

  /// How many items there were, where that is what made it.
  private var itemsText: String? {
    guard kind == .backlog, let count = shape.itemsInPass else { return nil }
    let longest = shape.longestItem.map { ", the longest took \($0.spanText)" } ?? ""
    return "\(count) \(count == 1 ? "item" : "items")\(longest)"
  }

  /// What kept the thread from running, where that is what made it.
  private var hostText: String? {
    guard kind == .starvation || cost.verdict == .starved else { return nil }
    var parts: [String] = []
    if let cpus = host.cpus { parts.append(cpus == 1 ? "1 processor" : "\(cpus) processors") }
    if let pressure = cost.cpuPressure {
      parts.append("\(Self.whole(pressure)) % of the last 10 s short of them")
    }
    if let count = cost.involuntarySwitches { parts.append("taken off one \(count) times") }
    if let group = host.controlGroup, let throttled = group.throttled, throttled > .zero {
      parts.append("control group held back for \(throttled.spanText)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// A number from outside may be anything.
  private static func whole(_ number: Double) -> String {
    number.isFinite ? String(Int(max(-1e9, min(1e9, number)).rounded())) : "?"
  }

  private var processText: String {
    let version = app.version.map { " \($0.printable)" } ?? ""
    let host = host.name.map { " on \($0.printable)" } ?? ""
    return "\(app.name.printable)\(version) [\(process.pid)]\(host), thread \(loop.thread.text)"
  }

  /// The flag of a report in whose time the process could not run.
  private static let stoodStill = "stood-still"

  private var doubtText: String? {
    var doubts = confidence.flags.filter { $0 != Self.stoodStill }.map(\.printable)
    if let excluded = time.excluded, excluded > .zero {
      let why = annotations["paused_reason"].map { "the program had said: \($0.printable)" }
      let stood = confidence.flags.contains(Self.stoodStill) ? "the process could not run" : nil
      let reasons = [stood, why].compactMap(\.self).joined(separator: ", ")
      doubts.append("\(excluded.spanText) not counted" + (reasons.isEmpty ? "" : ": " + reasons))
    }
    if process.isDebugged == true { doubts.append("a debugger is attached") }
    if samplesDropped > 0 { doubts.append("\(samplesDropped) samples dropped") }
    return doubts.isEmpty ? nil : doubts.joined(separator: "; ")
  }
}

extension Report.ThreadName {
  /// The number, and the name if there is one: `4121 "maild"`.
  var text: String { name.map { "\(tid) \"\($0.printable)\"" } ?? "\(tid)" }
}
