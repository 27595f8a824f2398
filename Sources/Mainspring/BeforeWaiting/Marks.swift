/// What is marked, each once, in the order of first marks.
struct Marks<Mark: Hashable> {
  /// Where each stands: its number in the order of marking.
  private var numbers: [Mark: Int] = [:]
  /// In that order, those that were unmarked included.
  private var line: [Mark] = []
  /// The index of the first that was not taken yet.
  private var first = 0
  /// The number of the mark at the beginning of the line.
  private var base = 0

  var isEmpty: Bool { numbers.isEmpty }

  /// Says whether it was not marked.
  mutating func add(_ mark: Mark) -> Bool {
    guard numbers[mark] == nil else { return false }
    numbers[mark] = base + line.count
    line.append(mark)
    return true
  }

  mutating func remove(_ mark: Mark) -> Bool {
    guard numbers.removeValue(forKey: mark) != nil else { return false }
    // Who marks and unmarks while nothing is done does not make the line longer and longer.
    if numbers.isEmpty { startLineAnew() }
    return true
  }

  /// The number of the last one that belongs to the round which begins now.
  func beginRound() -> Int { base + line.count - 1 }

  /// Takes the next one out, if it belongs to the round.
  mutating func take(upTo last: Int) -> Mark? {
    while first < line.count, base + first <= last {
      let (mark, number) = (line[first], base + first)
      first += 1
      if first == line.count { startLineAnew() }
      // One that was unmarked, and perhaps marked again later, stands here in vain.
      if numbers[mark] == number {
        numbers[mark] = nil
        return mark
      }
    }
    return nil
  }

  private mutating func startLineAnew() {
    base += line.count
    line.removeAll(keepingCapacity: true)
    first = 0
  }
}
