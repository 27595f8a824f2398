/// The way from a message's root to one of its values, kept for the sake of errors.
indirect enum CodingTrail {
  case root
  case step(any CodingKey, after: CodingTrail)

  var path: [any CodingKey] {
    var (keys, rest): ([any CodingKey], CodingTrail) = ([], self)
    while case .step(let key, let before) = rest {
      keys.append(key)
      rest = before
    }
    return keys.reversed()
  }

  func to(_ key: any CodingKey) -> CodingTrail { .step(key, after: self) }

  func to(_ index: Int) -> CodingTrail { .step(IndexKey(index), after: self) }

  /// Where a type's superclass is kept.
  static var superclassKey: any CodingKey { NameKey(stringValue: "super") }
}

/// The index of an array's element.
private struct IndexKey: CodingKey {
  let index: Int
  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { index = intValue }
  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

private struct NameKey: CodingKey {
  let stringValue: String
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
  var intValue: Int? { nil }
}
