/// The options and operands found on a command line.
public struct Arguments: Sendable, Equatable {
  /// The operands in order.
  public internal(set) var operands: [String] = []
  /// The options' values by name; of a flag, the empty text.
  var values: [String: String] = [:]

  /// Whether the option is there.
  public func contains(_ option: Option) -> Bool { values[option.name] != nil }

  /// The option's value, or `nil` if the option is not there.
  ///
  /// - Throws: What is wrong with the value.
  public func value<Value: ArgumentValue>(
    of option: Option, as type: Value.Type = Value.self
  ) throws(UsageError) -> Value? {
    guard let text = values[option.name] else { return nil }
    do {
      return try Value(argument: text)
    } catch {
      throw .malformedValue(option: option.name, error)
    }
  }

  /// The option's value, a whole number in `range`, or `nil` if the option is not there.
  ///
  /// - Throws: What is wrong with the value.
  public func integer(of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = values[option.name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let range = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw .malformedValue(option: option.name, MalformedArgument("'\(text)' is not \(range)"))
    }
    return number
  }
}

/// A value that can be read from one argument.
public protocol ArgumentValue {
  /// The value that `argument` spells.
  ///
  /// - Throws: What is wrong with it and what would be right.
  init(argument: String) throws(MalformedArgument)
}

extension String: ArgumentValue {
  /// Any text but the empty one: an empty value is a variable of a script that was not set.
  public init(argument: String) throws(MalformedArgument) {
    guard !argument.isEmpty else { throw MalformedArgument("the value is empty") }
    self = argument
  }
}
