import LinuxKernel

/// Pieces of Prometheus' text format, version 0.0.4.
package enum PrometheusText {
  /// The lines that go before a metric's samples.
  package static func head(name: String, type: String, help: String) -> String {
    requireName(name)
    // By scalars: a carriage return and a line feed are one character.
    let escaped = help.unicodeScalars
      .map { $0 == "\\" ? "\\\\" : $0 == "\n" ? "\\n" : String($0) }.joined()
    return "# HELP \(name) \(escaped)\n# TYPE \(name) \(type)\n"
  }

  /// One sample.
  package static func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: String)
    -> String
  {
    requireName(name)
    let braces = labels.map { label($0.name, $0.value) }.joined(separator: ",")
    return "\(name)\(braces.isEmpty ? "" : "{\(braces)}") \(value)\n"
  }

  /// `name="value"`, with the value's quotation marks, backslashes and line feeds escaped.
  static func label(_ name: String, _ value: String) -> String {
    requireName(name)
    require(!name.utf8.contains(UInt8(ascii: ":")), "'\(name)' is no name for a label")
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\(name)=\"\(escaped)\""
  }

  /// A number of seconds with as many decimals as it has, down to the nanosecond.
  package static func seconds(_ duration: Duration) -> String {
    let nanoseconds = duration.attoseconds / 1_000_000_000
    let (whole, part) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var text = (nanoseconds < 0 ? "-" : "") + String(whole)
    guard part > 0 else { return text }
    var decimals = String(part + 1_000_000_000).dropFirst()
    while decimals.last == "0" { decimals.removeLast() }
    text += "." + decimals
    return text
  }

  static func requireName(_ name: String) {
    let isName =
      name.utf8.allSatisfy { byte in
        (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == 0x5F
      } && !(name.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
    require(isName, "'\(name)' is no name for a metric")
  }
}
