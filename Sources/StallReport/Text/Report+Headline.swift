extension Report {
  /// What happened, in one sentence without a full stop.
  public var headline: String {
    if kind == .crash { return crashHeadline }
    let length = state == .ongoing ? "\(time.duration.spanText) so far" : time.duration.spanText
    let what = "\(kind.rawValue.capitalizedWord) of \(length) on loop \"\(loop.name.printable)\""
    let limit = "(threshold \(time.threshold.spanText))"
    let meaning = meaning.map { ": \($0)" } ?? ""
    return ["\(what) \(limit)\(meaning)", cost.verdictText].compactMap(\.self).joined(separator: ", ")
  }

  /// What the kind means here, where its name does not say it all.
  private var meaning: String? {
    switch kind {
    case .stall: nil
    case .backlog: "\(itemCount ?? "many items") in one pass, none of them long"
    case .saturation: "pass after pass without a wait"
    case .starvation: "the host did not let it run"
    case .deadlock: cycleMeaning
    case .pool: "no thread was free to take the work"
    case .crash: nil
    }
  }

  private var crashHeadline: String {
    let signal = annotations["crash_signal"].map { " by \($0.printable)" } ?? ""
    let address = annotations["crash_address"].map { " at \($0.printable)" } ?? ""
    return "Crash\(signal)\(address) of thread \(loop.thread.tid), loop \"\(loop.name.printable)\""
  }

  private var cycleMeaning: String {
    guard isCycleKnown, let count = waits.cycle?.count else { return "a cycle of waits" }
    return count == 1 ? "its thread waits for itself" : "\(count) threads wait for each other"
  }

  private var itemCount: String? { shape.itemsInPass.flatMap { $0 > 1 ? "\($0) items" : nil } }
}

extension String {
  /// The word with an upper-case first letter.
  fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
