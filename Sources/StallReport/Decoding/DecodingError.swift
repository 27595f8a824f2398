extension Report {
  /// Why a text is no report that can be read: the place in it, and what is wrong there.
  public struct DecodingError: Error, Sendable, Equatable {
    /// Where in the report, as `samples[3].stack`; empty if it is the text as a whole.
    public private(set) var place = ""
    /// What is wrong there.
    public let problem: Problem

    init(_ problem: Problem, at place: String = "") {
      self.problem = problem
      self.place = place
    }

    /// The same error, seen from one level further out.
    func inside(_ key: String) -> Self {
      let inner = place.isEmpty || place.hasPrefix("[") ? place : "." + place
      return Self(problem, at: key + inner)
    }

    /// The same error, seen from the array in which this element stands.
    func inside(_ index: Int) -> Self { inside("[\(index)]") }
  }
}

extension Report.DecodingError {
  /// The sorts of defect.
  public enum Problem: Sendable, Equatable {
    /// It is not JSON: what is wrong, and behind how many bytes of the text.
    case syntax(SyntaxFault, offset: Int)
    /// There is more of something than a reader takes.
    case exceeds(Limit)
    /// The text follows another schema, or another version of it.
    case unknownSchema(String)
    /// A part without which a report says nothing is not there.
    case missing
    /// A value of another type than the schema has there.
    case wrongType(ValueType, expected: ValueType)
    /// A text or number that is not what it should be; `expected` says what that is.
    case malformed(String, expected: String)
    /// A word that the schema does not have there.
    case unknownWord(String)
    /// The index of an entry that a table does not have.
    case noSuchEntry(Int, of: String, count: Int)
    /// The name of a frame that there is not.
    case noSuchFrame(String)
    /// A key, or a frame's name, that is there already.
    case repeated(String)
    /// An end that lies before its beginning.
    case endsBeforeStart
  }

  /// What can be wrong with JSON text.
  public enum SyntaxFault: String, Sendable, CaseIterable {
    /// It ends too early.
    case ended = "the text ends too early"
    /// A character that cannot stand there.
    case unexpected = "a character that cannot stand here"
    /// A control character in a string, which has to be escaped.
    case controlCharacter = "a control character that is not escaped"
    /// An escape that JSON does not have, or half of a pair.
    case escape = "no escape of JSON's"
    /// Bytes that are not UTF-8.
    case notUTF8 = "not UTF-8"
  }

  /// The types of JSON.
  public enum ValueType: String, Sendable, CaseIterable {
    /// Nothing known.
    case null
    /// True or false.
    case bool
    /// Any number.
    case number
    /// A text.
    case string
    /// Values in order.
    case array
    /// Values by name.
    case object
  }
}

extension Report.DecodingError: CustomStringConvertible {
  /// One line without a full stop: the place, and what is wrong there. Whatever stands in the report, it cannot move a
  /// terminal's cursor.
  public var description: String {
    (place.isEmpty ? "" : place.elided(to: 120).printable + ": ") + explanation
  }

  private var explanation: String {
    switch problem {
    case .syntax(let fault, let offset): "not JSON: \(fault.rawValue), at byte \(offset)"
    case .exceeds(let limit): "more than \(limit.most) \(limit.things)"
    case .unknownSchema(let name): "schema \(Self.quoted(name)), but only \(Report.schema) can be read"
    case .missing: "missing"
    case .wrongType(let found, let expected): "\(found.words), but it should be \(expected.words)"
    case .malformed(let text, let expected): "\(Self.quoted(text)) is not \(expected)"
    case .unknownWord(let word): "\(Self.quoted(word)) is not known here"
    case .noSuchEntry(let index, let table, let count): "\(index), but there are \(count) \(table)"
    case .noSuchFrame(let name): "\(Self.quoted(name)), but there is no frame of this id"
    case .repeated(let key): "\(Self.quoted(key)) is there twice"
    case .endsBeforeStart: "it lies before the start"
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(text.elided(to: 60).printable)\"" }
}

extension Report.DecodingError.ValueType {
  fileprivate var words: String {
    switch self {
    case .null, .bool: rawValue
    case .array, .object: "an \(rawValue)"
    case .number, .string: "a \(rawValue)"
    }
  }
}
