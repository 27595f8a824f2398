import CommandLineOptions

/// What a command line asks for.
enum Invocation: Sendable {
  /// To show this text on standard output.
  case show(String)
  /// To run this command.
  case run(any Command)

  /// The commands there are, in the order of the help.
  static let commands: [any Command.Type] = [ReportCommand.self, HelpCommand.self]

  private static let syntax = Syntax(options: [.help, .version])

  /// What `arguments` ask for; they do not contain the program's name.
  ///
  /// - Throws: What is wrong with them.
  init(_ arguments: [String]) throws(UsageError) {
    if let name = arguments.first, !name.hasPrefix("-") {
      self = try Self.command(named: name, arguments: arguments.dropFirst())
      return
    }
    let parsed = try Self.syntax.parse(arguments)
    if parsed.contains(.help) {
      self = .show(ProgramHelp.text)
    } else if parsed.contains(.version) {
      self = .show("mainspring \(Version.current)\n")
    } else {
      throw .missingOperand("the command")
    }
  }

  private static func command(
    named name: String, arguments: ArraySlice<String>
  ) throws(UsageError) -> Invocation {
    let command = try type(named: name)
    let parsed = try command.syntax.parse(arguments)
    if parsed.contains(.help) { return .show(command.help.text) }
    return .run(try command.init(parsed))
  }

  /// The command of this name.
  static func type(named name: String) throws(UsageError) -> any Command.Type {
    if let command = commands.first(where: { $0.name == name }) { return command }
    throw .unknownCommand(name, nearest: Spelling.nearest(to: name, among: commands.map { $0.name }))
  }
}
