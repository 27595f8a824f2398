/// A value that writes itself as JSON.
///
/// It is not `Codable`: the report's names and number formats are part of its schema, and the encoder
/// must neither allocate boxes nor fail.
public protocol JSONEncodable {
  /// Writes exactly one JSON value to `json`.
  func encode(to json: inout JSONWriter)
}

extension String: JSONEncodable {
  public func encode(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONEncodable {
  public func encode(to json: inout JSONWriter) { json.literal(self ? "true" : "false") }
}

extension Int: JSONEncodable {
  public func encode(to json: inout JSONWriter) { json.literal(String(self)) }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  public func encode(to json: inout JSONWriter) {
    if let self { self.encode(to: &json) } else { json.literal("null") }
  }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  public func encode(to json: inout JSONWriter) { json.array(self) }
}

extension JSONEncodable where Self: RawRepresentable, RawValue == String {
  /// Writes the raw value: an enumeration's cases are spelled as the schema spells them.
  public func encode(to json: inout JSONWriter) { json.string(rawValue) }
}

extension JSONEncodable {
  /// The value as JSON text, without a line feed at the end.
  ///
  /// - Complexity: O(length of the text).
  public func json(layout: JSONWriter.Layout = .compact) -> String {
    var writer = JSONWriter(layout: layout)
    encode(to: &writer)
    return writer.text
  }
}
