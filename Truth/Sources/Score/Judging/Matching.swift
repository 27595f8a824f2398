package import TruthLog

/// Which report is of which injection: one to one, the largest overlap first.
package struct Matching: Sendable {
  /// The index of the report by the index of the injection.
  package private(set) var reportOfTruth: [Int: Int] = [:]
  package private(set) var truthOfReport: [Int: Int] = [:]

  /// A match has so much of the injection's time at least.
  static let overlapMin = 0.5

  /// - Parameter truths: injections of which something may be told.
  package init(_ truths: [(index: Int, judged: Judged)], _ told: [Told]) {
    var candidates: [(overlap: UInt64, truth: Int, report: Int)] = []
    let reports = told.indices.sorted { told[$0].interval.start < told[$1].interval.start }
    let longest = told.map(\.interval.length).max() ?? 0
    for (index, judged) in truths {
      let interval = judged.truth.interval
      // Only reports that start before its end, and not so long before it that none of them could reach it.
      var position = reports.partitioningIndex { told[$0].interval.start + longest >= interval.start }
      while position < reports.count, told[reports[position]].interval.start < interval.end {
        let report = told[reports[position]]
        let overlap = report.interval.overlap(with: interval)
        if report.loop == judged.truth.loop, Double(overlap) >= Self.overlapMin * Double(interval.length) {
          candidates.append((overlap, index, reports[position]))
        }
        position += 1
      }
    }
    candidates.sort { ($0.overlap, $1.truth, $1.report) > ($1.overlap, $0.truth, $0.report) }
    for candidate in candidates
    where reportOfTruth[candidate.truth] == nil && truthOfReport[candidate.report] == nil {
      reportOfTruth[candidate.truth] = candidate.report
      truthOfReport[candidate.report] = candidate.truth
    }
  }
}

extension [Int] {
  /// The first index whose element is as asked; all behind it are, too.
  fileprivate func partitioningIndex(where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
