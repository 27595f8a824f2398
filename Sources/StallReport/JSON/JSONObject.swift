/// The members of one object of a report. Errors of a member say its name.
struct JSONObject {
  typealias Failure = Report.DecodingError

  let members: [String: JSONValue]

  init(_ json: JSONValue) throws(Failure) {
    guard case .object(let members) = json else { throw json.mismatch(.object) }
    self.members = members
  }

  // MARK: parts without which the object says nothing

  func required<Value: JSONDecodable>(_ key: String) throws(Failure) -> Value {
    try required(key, Value.init(json:))
  }

  func required<Value>(
    _ key: String, _ read: (JSONValue) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let value = try known(key, read) else { throw Failure(.missing, at: key) }
    return value
  }

  // MARK: parts that may be unknown: null or not there

  func known<Value: JSONDecodable>(_ key: String) throws(Failure) -> Value? {
    try known(key, Value.init(json:))
  }

  func known<Value>(
    _ key: String, _ read: (JSONValue) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    guard let json = members[key], json != .null else { return nil }
    do throws(Failure) {
      return try read(json)
    } catch {
      throw error.inside(key)
    }
  }

  func milliseconds(_ key: String) throws(Failure) -> Duration? {
    try known(key, Duration.init(milliseconds:))
  }

  func microseconds(_ key: String) throws(Failure) -> Duration? {
    try known(key, Duration.init(microseconds:))
  }

  func address(_ key: String) throws(Failure) -> UInt64? { try known(key, UInt64.init(address:)) }

  /// The elements of an array, each read with its index; none if there is no array.
  func list<Element>(
    _ key: String, atMost limit: Failure.Limit = .values,
    _ read: (JSONValue, Int) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    try known(key) { (json) throws(Failure) in try json.elements(atMost: limit, read) } ?? []
  }

  /// The values of an object whose keys are open.
  func dictionary<Value>(
    _ key: String, _ read: (JSONValue) throws(Failure) -> Value
  ) throws(Failure) -> [String: Value]? {
    try known(key) { (json) throws(Failure) in
      let object = try JSONObject(json)
      var values: [String: Value] = [:]
      for key in object.members.keys { values[key] = try object.required(key, read) }
      return values
    }
  }
}

extension JSONValue {
  func mismatch(_ expected: Report.DecodingError.ValueType) -> Report.DecodingError {
    Report.DecodingError(.wrongType(type, expected: expected))
  }

  /// The elements of an array, each read with its index. Errors of an element say that.
  func elements<Element>(
    atMost limit: Report.DecodingError.Limit = .values,
    _ read: (JSONValue, Int) throws(Report.DecodingError) -> Element
  ) throws(Report.DecodingError) -> [Element] {
    guard case .array(let values) = self else { throw mismatch(.array) }
    try limit.check(values.count)
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(Report.DecodingError) {
        elements.append(try read(value, index))
      } catch {
        throw error.inside(index)
      }
    }
    return elements
  }
}

extension Report.DecodingError {
  static func malformed(_ text: String, expected: String) -> Self {
    Self(.malformed(text, expected: expected))
  }
  static func unknownWord(_ word: String) -> Self { Self(.unknownWord(word)) }
}
