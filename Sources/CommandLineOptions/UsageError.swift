/// What is wrong with a command line; its description is one line that says what would be right.
public enum UsageError: Error, Equatable, Sendable {
  /// No option has this spelling; `nearest` is the one that was probably meant, with its hyphens.
  case unknownOption(String, nearest: String?)
  /// No command has this name; `nearest` is the one that was probably meant.
  case unknownCommand(String, nearest: String?)
  /// The option was given without its value; `example` is how it is written.
  case missingValue(option: String, example: String)
  /// The option takes no value.
  case unexpectedValue(option: String)
  /// The option was given twice.
  case repeated(option: String)
  /// The option's value is not what it should be.
  case malformedValue(option: String, MalformedArgument)
  /// The operand is one too many.
  case unexpectedOperand(String)
  /// An operand is missing.
  case missingOperand(String)
}

/// What is wrong with one value, and what would be right: `'250' has no unit; write 250ms or 2s`.
public struct MalformedArgument: Error, Equatable, Sendable {
  /// The sentence, without a full stop.
  public let explanation: String

  /// The error that says so.
  public init(_ explanation: String) { self.explanation = explanation }
}

extension UsageError: CustomStringConvertible {
  /// One line without a full stop, controls replaced.
  public var description: String { text.onOneLine }

  private var text: String {
    switch self {
    case .unknownOption(let option, let nearest):
      "unknown option '\(option)'; " + (nearest.map { "did you mean \($0)?" } ?? Self.seeHelp)
    case .unknownCommand(let command, let nearest):
      "unknown command '\(command)'; " + (nearest.map { "did you mean \($0)?" } ?? Self.seeHelp)
    case .missingValue(let option, let example): "--\(option): the value is missing; write \(example)"
    case .unexpectedValue(let option): "--\(option) takes no value; write --\(option)"
    case .repeated(let option): "--\(option) is given twice; give it once"
    case .malformedValue(let option, let malformed): "--\(option): \(malformed.explanation)"
    case .unexpectedOperand(let operand): "unexpected argument '\(operand)'; \(Self.seeHelp)"
    case .missingOperand(let operand): "\(operand) is missing; \(Self.seeHelp)"
    }
  }

  private static let seeHelp = "--help lists what there is"
}

extension String {
  /// The text with a mark in place of each control character: arguments and names of files come from anywhere.
  public var onOneLine: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      text.append(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}
