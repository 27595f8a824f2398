/// A quantity that follows from what was measured.
indirect enum Amount: Sendable {
  /// The median of a figure.
  case figure(String, Cell, peer: String)
  case constant(Double)
  case difference(Amount, Amount)

  /// Its value, or nil where something was not measured.
  func value(in samples: Samples, under load: Load) -> Double? {
    switch self {
    case .figure(let key, let cell, let peer):
      return samples.median(key, of: Samples.Key(peer: peer, cell: cell, load: load))
    case .constant(let value): return value
    case .difference(let one, let other):
      guard let one = one.value(in: samples, under: load), let other = other.value(in: samples, under: load)
      else { return nil }
      return one - other
    }
  }

  /// The cells and peers that it is made of.
  var origins: [(peer: String, cell: Cell)] {
    switch self {
    case .figure(_, let cell, let peer): [(peer, cell)]
    case .constant: []
    case .difference(let one, let other): one.origins + other.origins
    }
  }
}
