import CommandLineOptions

/// The help of the program as a whole.
enum ProgramHelp {
  static var text: String {
    HelpText(
      usage: "mainspring COMMAND [OPTIONS]",
      summary: "The command line of Mainspring, a run loop for Swift with a stall monitor.",
      sections: [
        HelpText.Section("Commands", rows: Invocation.commands.map { ($0.name, $0.summary) }),
        HelpText.Section(options: [.help, .version]),
        HelpText.Section(
          "Exit codes",
          rows: [("0", "All was done"), ("1", "It could not be done"), ("64", "The command line is wrong")]),
      ]
    ).text
  }
}
