/// The options and operands that a command takes.
public struct Syntax: Sendable {
  /// The options, in the order of the help.
  public let options: [Option]
  /// How many operands there may be.
  public let operandsMax: Int

  /// A command with these options and at most so many operands. `--help` is always among the options.
  public init(options: [Option], operandsMax: Int = 0) {
    self.options = options.contains(.help) ? options : options + [.help]
    self.operandsMax = operandsMax
    precondition(
      Set(self.options.map(\.name)).count == self.options.count, "an option is declared twice: \(options)")
  }

  /// The options and operands in `arguments`, which do not contain the program's name.
  ///
  /// Values are written `--key=value` or `--key value`; `--` ends the options; `-` alone is an operand.
  /// Values are not looked into: that is for ``Arguments/value(of:as:)``.
  /// - Throws: The first thing that is wrong, from left to right.
  public func parse(_ arguments: some Sequence<String>) throws(UsageError) -> Arguments {
    var parsed = Arguments()
    var rest = ArraySlice(Array(arguments))
    while let argument = rest.popFirst() {
      if argument == "--" {
        for operand in rest { try add(operand: operand, to: &parsed) }
        break
      } else if argument.hasPrefix("-"), argument != "-" {
        try add(option: argument, rest: &rest, to: &parsed)
      } else {
        try add(operand: argument, to: &parsed)
      }
    }
    return parsed
  }

  private func add(operand: String, to parsed: inout Arguments) throws(UsageError) {
    guard parsed.operands.count < operandsMax else { throw .unexpectedOperand(operand) }
    parsed.operands.append(operand)
  }

  private func add(
    option argument: String, rest: inout ArraySlice<String>, to parsed: inout Arguments
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    guard let option = options.first(where: { "--\($0.name)" == spelling }) else {
      let known = options.map { "--\($0.name)" }
      throw .unknownOption(spelling, nearest: Spelling.nearest(to: spelling, among: known))
    }
    guard parsed.values[option.name] == nil else { throw .repeated(option: option.name) }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    parsed.values[option.name] = try value(of: option, attached: attached, rest: &rest)
  }

  private func value(
    of option: Option, attached: String?, rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard option.valueName != nil else {
      guard attached == nil else { throw .unexpectedValue(option: option.name) }
      return ""
    }
    if let attached { return attached }
    // A value that looks like an option is one that was forgotten; with `=` it may begin with hyphens.
    guard let next = rest.first, !next.hasPrefix("--") else {
      throw .missingValue(option: option.name, example: option.spelling)
    }
    rest.removeFirst()
    return next
  }
}
