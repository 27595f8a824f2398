/// One option of a command as it is declared: `--json`, or with a value `--threshold=DURATION`.
public struct Option: Sendable, Hashable {
  /// The name without the hyphens.
  public let name: String
  /// What stands for the value in the help, in capitals; `nil` if the option takes none.
  public let valueName: String?
  /// What it does, for the help: no full stop at the end.
  public let help: String

  /// An option that is there or not.
  public init(flag name: String, help: String) {
    self.name = name
    valueName = nil
    self.help = help
  }

  /// An option with a value.
  public init(name: String, value valueName: String, help: String) {
    self.name = name
    self.valueName = valueName
    self.help = help
  }

  /// As it is written on the command line: `--json`, `--threshold=DURATION`.
  public var spelling: String { "--\(name)" + (valueName.map { "=\($0)" } ?? "") }

  /// `--help`, which every command has.
  public static let help = Option(flag: "help", help: "Show this help and leave")
  /// `--version`, which every program has.
  public static let version = Option(flag: "version", help: "Show the version and leave")
}
