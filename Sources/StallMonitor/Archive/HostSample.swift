import StallReport

/// Chooses hosts at random that report on a day: the same for all processes of a host, and others the next day.
enum HostSample {
  /// Whether a host is among the share `rate` on a day.
  static func contains(host: String, day: String, rate: Double) -> Bool {
    let bits = mixed(StableHash(["stall-sample", host, day]).value)
    // The upper 53 bits: as many as a Double holds exactly.
    return Double(bits >> 11) / 0x1p53 < rate
  }

  /// As SplitMix64 does at the end: of the hash alone the upper bits hardly change from one day to the next.
  private static func mixed(_ hash: UInt64) -> UInt64 {
    var bits = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
