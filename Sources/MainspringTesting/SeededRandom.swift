/// Random numbers that a seed brings back: print the seed when a random test fails, and keep it when it was found.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The seed it began with.
  public let seed: UInt64
  private var state: UInt64

  /// The numbers of a seed.
  ///
  /// - Parameter seed: chosen by the system if it is not given.
  public init(seed: UInt64? = nil) {
    self.seed = seed ?? UInt64.random(in: .min ... .max)
    state = self.seed
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
