/// A number as people read it, with two figures that count or all before the point.
func figure(_ number: Double) -> String {
  let size = number.magnitude
  if size >= 9.95 || size == 0 { return "\(Int(number.rounded()))" }
  let places = size >= 0.95 ? 1 : 2
  let scale = places == 1 ? 10.0 : 100.0
  let scaled = Int((size * scale).rounded())
  let fraction = String(scaled % Int(scale))
  let text = "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  return number < 0 && scaled > 0 ? "-" + text : text
}

/// Milliseconds as people read them: `12 µs`, `897 ms`.
func milliseconds(_ number: Double) -> String { microseconds(number * 1000) }

/// Microseconds as people read them: `2.3 µs`, `6.1 ms`.
func microseconds(_ number: Double) -> String {
  number < 100 ? figure(number) + " µs" : figure(number / 1000) + " ms"
}
