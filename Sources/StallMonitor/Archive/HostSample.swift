import StallReport

/// Chooses hosts at random that report on a day: the same for all processes of a host, and others the next day.
enum HostSample {
  /// Whether a host is among the share `rate` on a day.
  static func contains(host: String, day: String, rate: Double) -> Bool {
    let bits = StableHash(["stall-sample", host, day]).value
    // The upper 53 bits: as many as a Double holds exactly.
    return Double(bits >> 11) / 0x1p53 < rate
  }
}
