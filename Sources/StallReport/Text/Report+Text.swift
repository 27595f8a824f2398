extension Report {
  /// The report for people: what happened, in which callout, who is to blame, and the stacks by weight.
  ///
  /// Lines end with a line feed, the last one too. Times of day are UTC.
  /// - Complexity: O(frames of all samples).
  public func text(style: Style = .plain) -> String {
    var lines = [style.paint(headline, .headline)]
    lines += facts.map { label, fact in "  " + style.paint(label.aligned(left: 9), .label) + fact }
    lines += [""] + evidence(style: style)
    return lines.map { $0 + "\n" }.joined()
  }

  /// What happened, in one sentence without a full stop.
  public var headline: String {
    let length = state == .ongoing ? "\(time.duration.spanText) so far" : time.duration.spanText
    let what = "\(kind.rawValue.capitalizedWord) of \(length) on loop \"\(loop.name.printable)\""
    let limit = "(threshold \(time.threshold.spanText))"
    return ["\(what) \(limit)", cost.verdictText].compactMap(\.self).joined(separator: ", ")
  }

  private var facts: [(label: String, fact: String)] {
    let facts: [(String, String?)] = [
      ("when", whenText), ("callout", calloutText), ("culprit", culpritText), ("process", processText),
      ("doubt", doubtText),
    ]
    return facts.compactMap { label, fact in fact.map { (label, $0) } }
  }

  private var whenText: String {
    let start = CivilTime(time.startUnix).description
    return time.detectedAfter.map { "\(start), certain after \($0.spanText)" } ?? start
  }

  private var calloutText: String {
    guard let item = phase.item else { return phase.name.callout }
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

  private var processText: String {
    let version = app.version.map { " \($0.printable)" } ?? ""
    let host = host.name.map { " on \($0.printable)" } ?? ""
    let thread = loop.thread.name.map { "\(loop.thread.tid) \"\($0.printable)\"" } ?? "\(loop.thread.tid)"
    return "\(app.name.printable)\(version) [\(process.pid)]\(host), thread \(thread)"
  }

  private var doubtText: String? {
    var doubts = confidence.flags.map(\.printable)
    if let excluded = time.excluded, excluded > .zero {
      doubts.append("\(excluded.spanText) not counted, the machine or the monitor stood still")
    }
    if process.isDebugged == true { doubts.append("a debugger is attached") }
    if samplesDropped > 0 { doubts.append("\(samplesDropped) samples dropped") }
    return doubts.isEmpty ? nil : doubts.joined(separator: "; ")
  }

  private func evidence(style: Style) -> [String] {
    let heavy = HeavyView(self, style: style).text()
    return heavy.isEmpty ? ["  No stack could be taken."] : heavy
  }
}

extension String {
  /// The word with an upper-case first letter.
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
