/// One line of a log: a word for what it is, then `key=value` fields with tabs between.
public struct LogLine: Sendable, Equatable {
  public var kind: String
  private var fields: [String: String] = [:]
  private var order: [String] = []

  public init(_ kind: String) { self.kind = kind }

  /// The line that the text spells; nil for an empty one.
  public init?(text: some StringProtocol) {
    let parts = text.split(separator: "\t")
    guard let kind = parts.first else { return nil }
    self.init(String(kind))
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: "=") else { continue }
      self[String(part[..<equals])] = String(part[part.index(after: equals)...])
    }
  }

  /// A field's value; nothing known is no field.
  public subscript(key: String) -> String? {
    get { fields[key] }
    set {
      if fields[key] == nil, newValue != nil { order.append(key) }
      // What would end the field or the line has no meaning in any of them.
      fields[key] = newValue.map { value in
        String(value.map { $0 == "\t" || $0.isNewline ? " " : $0 })
      }
    }
  }

  public subscript(number key: String) -> UInt64? {
    get { fields[key].flatMap { UInt64($0) } }
    set { self[key] = newValue.map { "\($0)" } }
  }

  /// Without the line feed.
  public var text: String {
    ([kind] + order.compactMap { key in fields[key].map { "\(key)=\($0)" } }).joined(separator: "\t")
  }
}

/// What a line lacks.
public struct LogError: Error, Equatable, CustomStringConvertible {
  public var line: String
  public var field: String

  public var description: String { "no '\(field)' in: \(line)" }
}

extension LogLine {
  func text(_ key: String) throws(LogError) -> String {
    guard let value = self[key] else { throw LogError(line: text, field: key) }
    return value
  }

  func number(_ key: String) throws(LogError) -> UInt64 {
    guard let value = self[number: key] else { throw LogError(line: text, field: key) }
    return value
  }

  func decimal(_ key: String) -> Double? { self[key].flatMap { Double($0) } }
}
