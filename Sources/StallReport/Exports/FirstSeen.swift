/// Entries in the order they were first asked for.
struct FirstSeen<Entry: Hashable> {
  private(set) var entries: [Entry] = []
  private var indexOfEntry: [Entry: Int] = [:]

  func known(_ entry: Entry) -> Int? { indexOfEntry[entry] }

  mutating func index(of entry: Entry) -> Int {
    if let known = indexOfEntry[entry] { return known }
    entries.append(entry)
    indexOfEntry[entry] = entries.count - 1
    return entries.count - 1
  }
}
