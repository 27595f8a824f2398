/// A value of an attribute of OpenTelemetry's.
enum OTLPValue: Equatable {
  case text(String)
  case number(Int)
  case decimal(Double)
  case milliseconds(Duration)
  case truth(Bool)
  case texts([String])

  func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .text(let text): json.member("stringValue", text)
      // As JSON numbers they would lose their lowest bits.
      case .number(let number): json.member("intValue", String(number))
      case .decimal(let number): json.member("doubleValue", number: number.isFinite ? number : 0)
      case .milliseconds(let span): json.member("doubleValue", milliseconds: span)
      case .truth(let truth): json.member("boolValue", truth)
      case .texts(let texts):
        json.member("arrayValue") { json in
          json.object { json in
            json.member("values") { json in json.array(of: texts) { OTLPValue.text($1).write(to: &$0) } }
          }
        }
      }
    }
  }
}

/// Attributes in their order; what is not known is not there.
struct OTLPAttributes {
  private(set) var entries: [(String, OTLPValue)] = []

  mutating func add(_ key: String, _ text: String?) {
    if let text { entries.append((key, .text(text))) }
  }

  mutating func add(_ key: String, _ number: Int?) {
    if let number { entries.append((key, .number(number))) }
  }

  mutating func add(_ key: String, milliseconds span: Duration?) {
    if let span { entries.append((key, .milliseconds(span))) }
  }

  mutating func add(_ key: String, decimal: Double?) {
    if let decimal { entries.append((key, .decimal(decimal))) }
  }

  mutating func add(_ key: String, _ texts: [String]) {
    if !texts.isEmpty { entries.append((key, .texts(texts))) }
  }

  func write(to json: inout JSONWriter) {
    json.array(of: entries) { json, entry in
      json.object { json in
        json.member("key", entry.0)
        json.member("value") { entry.1.write(to: &$0) }
      }
    }
  }
}
