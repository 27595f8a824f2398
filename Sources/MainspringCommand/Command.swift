import CommandLineOptions

/// A command of the program: `mainspring NAME …`. Each is one file, and one line in ``Invocation/commands``.
///
/// Made from its arguments it is known to be right as far as that can be told without an effect.
protocol Command: Sendable {
  /// The word that chooses it.
  static var name: String { get }
  /// What it does, in a few words for the list of commands.
  static var summary: String { get }
  /// What it takes.
  static var syntax: Syntax { get }
  /// Its own help.
  static var help: HelpText { get }

  /// The command with these arguments, wholly checked; nothing is done yet.
  init(_ arguments: Arguments) throws(UsageError)

  /// Does it, and writes what was asked for to standard output.
  func run() throws(Failure)
}

/// Why a command that was written rightly could not be done: one line that names the thing.
struct Failure: Error, Equatable {
  let reason: String
}
