extension Duration {
  /// The span in the unit that suits it: `3.1 ms`, `812 ms`, `12.4 s`.
  var spanText: String {
    let magnitude = attoseconds.magnitude
    let millisecond: Int128 = 1_000_000_000_000_000
    if magnitude < 10 * millisecond.magnitude {
      let tenths = rounded(toAttoseconds: millisecond / 10)
      return tenths % 10 == 0 ? "\(tenths / 10) ms" : "\(decimal(tenths)) ms"
    }
    if magnitude < 10_000 * millisecond.magnitude { return "\(rounded(toAttoseconds: millisecond)) ms" }
    return "\(decimal(rounded(toAttoseconds: 100 * millisecond))) s"
  }

  /// The span's share of `whole` in percent, rounded.
  func percent(of whole: Duration) -> Int {
    guard whole > .zero else { return 0 }
    let share = (self / whole * 100).rounded()
    return Int(max(0, min(100, share)))
  }

  private func decimal(_ tenths: Int128) -> String {
    "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
