/// JSON text in the making: containers and members in the order they are written.
///
/// It cannot write what is not JSON: strings are escaped, and a number that JSON lacks becomes null.
/// What it does not check is that the keys of one object differ.
public struct JSONWriter: Sendable {
  /// Where line feeds are put.
  public enum Layout: Sendable {
    /// No white space at all.
    case compact
    /// One line a member of the outermost object, one line a row of its tables.
    case pretty
  }

  /// The text written so far, as UTF-8.
  private(set) var bytes: [UInt8] = []
  private let layout: Layout
  private var depth = 0
  private var needsComma = false
  private var breaksLines = false

  /// An empty text.
  public init(layout: Layout = .compact) { self.layout = layout }

  /// The text written so far.
  ///
  /// - Complexity: O(its length).
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes an object; `body` writes its members.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    container(open: "{", close: "}", breaksLines: depth == 0, body)
  }

  /// Writes an array, all on one line.
  public mutating func array(_ elements: some Sequence<some JSONEncodable>) {
    container(open: "[", close: "]", breaksLines: false) { json in
      for element in elements { json.element(element) }
    }
  }

  /// Writes an array as a table: one line an element in the pretty layout.
  public mutating func rows(_ elements: some Sequence<some JSONEncodable>) {
    container(open: "[", close: "]", breaksLines: true) { json in
      for element in elements { json.element(element) }
    }
  }

  /// Writes an array, all on one line; `body` writes one value for each element.
  mutating func array<Element>(
    of elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) -> Void
  ) {
    container(open: "[", close: "]", breaksLines: false) { json in
      for element in elements {
        json.separate()
        body(&json, element)
        json.needsComma = true
      }
    }
  }

  /// Writes one member of the object being written; nothing known is null.
  public mutating func member(_ key: String, _ value: (some JSONEncodable)?) {
    self.key(key)
    value.encode(to: &self)
  }

  /// Writes one member whose value `body` writes.
  public mutating func member(_ key: String, _ body: (inout JSONWriter) -> Void) {
    self.key(key)
    body(&self)
  }

  /// Writes one member only if its value is known: for tables, where a null in each row is only length.
  public mutating func memberIfKnown(_ key: String, _ value: (some JSONEncodable)?) {
    if let value { member(key, value) }
  }

  mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    JSONEscaping.append(value, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a token that is JSON already: a number, `true`, `false` or `null`.
  mutating func literal(_ token: String) { bytes.append(contentsOf: token.utf8) }

  private mutating func element(_ value: some JSONEncodable) {
    separate()
    value.encode(to: &self)
    needsComma = true
  }

  private mutating func key(_ key: String) {
    separate()
    string(key)
    bytes.append(UInt8(ascii: ":"))
    if layout == .pretty { bytes.append(UInt8(ascii: " ")) }
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if breaksLines {
      breakLine()
    } else if needsComma, layout == .pretty {
      bytes.append(UInt8(ascii: " "))
    }
  }

  private mutating func breakLine() {
    guard layout == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func container(
    open: Unicode.Scalar, close: Unicode.Scalar, breaksLines: Bool, _ body: (inout JSONWriter) -> Void
  ) {
    let outerBreaksLines = self.breaksLines
    bytes.append(UInt8(ascii: open))
    (self.breaksLines, needsComma) = (breaksLines, false)
    depth += 1
    body(&self)
    depth -= 1
    // An empty container stays on its line.
    if breaksLines, needsComma { breakLine() }
    bytes.append(UInt8(ascii: close))
    (self.breaksLines, needsComma) = (outerBreaksLines, true)
  }
}
