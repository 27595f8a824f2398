/// Numbers as the tables have them; what is not known is a hyphen.
package enum Figure {
  package static func percent(_ share: Double?) -> String {
    share.map { decimal($0 * 100, digits: 1) } ?? "-"
  }
  package static func decimal(_ value: Double?) -> String { value.map { decimal($0, digits: 1) } ?? "-" }

  package static func decimal(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * scale).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + "\(scaled)" }
    let fraction = String(scaled % Int(scale))
    return sign + "\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }
}
