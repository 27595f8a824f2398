/// What was probably meant by a word that is not known.
public enum Spelling {
  /// The nearest of `candidates`, or `nil` if none is near: one wrong letter in three is not near any more.
  ///
  /// - Complexity: O(*n* · *m*²) for *n* candidates of length *m*.
  public static func nearest(to word: String, among candidates: [String]) -> String? {
    // Beyond the length of any option there is nothing to suggest, only time to lose.
    guard word.count <= 40 else { return nil }
    let stem = stemmed(word)
    // A beginning is meant to be an abbreviation: -h, --vers.
    if !stem.isEmpty, let whole = candidates.first(where: { stemmed($0).hasPrefix(stem) }) { return whole }
    let ranked = candidates.map { (candidate: $0, distance: distance(stem, stemmed($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, stem.count / 3) ? best.candidate : nil
  }

  /// The number of letters to change, add, take away or swap with their neighbour.
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var twoRowsUp: [Int] = []
    var above = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        let change = above[column] + (one[row] == other[column] ? 0 : 1)
        var least = min(change, above[column + 1] + 1, current[column] + 1)
        let isSwap = row > 0 && column > 0 && one[row] == other[column - 1] && one[row - 1] == other[column]
        if isSwap { least = min(least, twoRowsUp[column - 1] + 1) }
        current.append(least)
      }
      (twoRowsUp, above) = (above, current)
    }
    return above[other.count]
  }

  private static func stemmed(_ word: String) -> String { String(word.drop { $0 == "-" }).lowercased() }
}
