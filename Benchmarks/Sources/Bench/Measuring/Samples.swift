/// What was measured: the figures of every run, and why there are none.
struct Samples: Sendable {
  /// What one run measures.
  struct Key: Sendable, Hashable {
    let peer: String
    let cell: Cell
    let load: Load
  }

  private(set) var figures: [Key: [Figures]] = [:]
  private var exclusions: [Key: Exclusion] = [:]
  /// What was slow is measured once.
  private var slow: Set<Key> = []

  mutating func add(_ line: Line, for key: Key, isSlow: Bool = false) {
    switch line {
    case .figures(let new): figures[key, default: []].append(new)
    case .excluded(let exclusion): exclusions[key] = exclusion
    }
    if isSlow { slow.insert(key) }
  }

  /// Whether there is no use in running it (again).
  func isOff(_ key: Key) -> Bool {
    slow.contains(key) || exclusions[key] != nil || sizeThatWasOver(upTo: key) != nil
  }

  /// Why there are no figures, if that is known: for a size, too, that was not tried since a smaller one took
  /// too long, or the same one under another load.
  func exclusion(of key: Key) -> Exclusion? {
    if figures[key] != nil { return nil }
    if let known = exclusions[key] { return known }
    return sizeThatWasOver(upTo: key).map { .over("\($0) took too long") }
  }

  private func sizeThatWasOver(upTo key: Key) -> Int? {
    exclusions.filter { other, exclusion in
      guard case .over = exclusion else { return false }
      return other.peer == key.peer && other.cell.workload == key.cell.workload
        && other.cell.isTraced == key.cell.isTraced && other.cell.size <= key.cell.size
    }.map(\.key.cell.size).min()
  }

  func median(_ figure: String, of key: Key) -> Double? { values(figure, of: key)?.median }

  func minimum(_ figure: String, of key: Key) -> Double? { values(figure, of: key)?.min() }

  /// The version that a peer's library says it has.
  func version(of peer: String) -> String? {
    figures.lazy.filter { $0.key.peer == peer }.compactMap { $0.value.first?.texts["version"] }.first
  }

  private func values(_ figure: String, of key: Key) -> [Double]? {
    let values = figures[key]?.compactMap { $0.numbers[figure] } ?? []
    return values.isEmpty ? nil : values
  }
}

extension [Double] {
  /// The middle one, or the mean of the middle two; of none, zero.
  var median: Double {
    guard !isEmpty else { return 0 }
    let sorted = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
