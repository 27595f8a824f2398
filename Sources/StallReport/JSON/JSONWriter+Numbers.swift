extension JSONWriter {
  /// Writes a span of time as a number of milliseconds, rounded to three decimals.
  public mutating func member(_ key: String, milliseconds span: Duration?) {
    member(key) { json in json.milliseconds(span) }
  }

  /// Writes a span of time as a number of microseconds, rounded to three decimals.
  public mutating func member(_ key: String, microseconds span: Duration?) {
    member(key) { json in json.thousandths(span.map { $0.rounded(toAttoseconds: 1_000_000_000) }) }
  }

  /// Writes a plain number, rounded to three decimals; what is not finite is unknown, so null.
  public mutating func member(_ key: String, number: Double?) {
    member(key) { json in json.number(number) }
  }

  /// Writes a span of time as a number of milliseconds, rounded to three decimals.
  mutating func milliseconds(_ span: Duration?) {
    thousandths(span.map { $0.rounded(toAttoseconds: 1_000_000_000_000) })
  }

  private mutating func number(_ value: Double?) {
    guard let value, value.isFinite else { return literal("null") }
    // Beyond this no double has decimals, and its own description is JSON.
    guard value.magnitude < 1e15 else { return literal(value.description) }
    thousandths(Int128((value * 1000).rounded()))
  }

  private mutating func thousandths(_ value: Int128?) {
    guard let value else { return literal("null") }
    let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: 1000)
    var text = (value < 0 ? "-" : "") + String(whole)
    if part > 0 {
      var decimals = String(part + 1000).dropFirst()
      while decimals.last == "0" { decimals.removeLast() }
      text += "." + decimals
    }
    literal(text)
  }
}

extension Duration {
  /// The nearest number of units of so many attoseconds, halves away from zero.
  func rounded(toAttoseconds unit: Int128) -> Int128 {
    let half = attoseconds < 0 ? -unit / 2 : unit / 2
    return (attoseconds + half) / unit
  }
}
