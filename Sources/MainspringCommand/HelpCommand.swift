import CommandLineOptions

/// `mainspring help [COMMAND]`: the help of the program or of one command.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "Show the help of the program or of one command"
  static let syntax = Syntax(options: [], operandsMax: 1)
  static let help = HelpText(
    usage: "mainspring help [COMMAND]",
    summary: "Shows what the program can do, or what one of its commands can do.",
    sections: [HelpText.Section(options: [.help])])

  let text: String

  init(_ arguments: Arguments) throws(UsageError) {
    if let name = arguments.operands.first {
      text = try Invocation.type(named: name).help.text
    } else {
      text = ProgramHelp.text
    }
  }

  func run() throws(Failure) {
    guard StandardStream.output.write(text) else {
      throw Failure(reason: "standard output cannot be written")
    }
  }
}
