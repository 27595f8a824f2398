import CommandLineOptions

/// What a command line asks for, wholly checked.
enum Request: Sendable, Equatable {
  /// To show this text.
  case show(String)
  /// To open the window.
  case open(Settings)

  /// What the options say, or else the defaults.
  struct Settings: Sendable, Equatable {
    /// The folder whose pictures are shown; nil are those of the Debian packages.
    var pictures: String?
    /// The folder for the reports of stalls.
    var reports = "stalls"
    var loading = Loading.idleQueue(budget: nil)
    /// Whether to write what happens to standard output, one object a line.
    var isJSON = false
  }

  /// How pictures are loaded.
  enum Loading: Sendable, Equatable {
    /// By the loop's idle queue; with a budget, in turns of that length, whatever the frame leaves.
    case idleQueue(budget: Duration?)
    /// As tutorials do.
    case naive(dropsNewest: Bool, whileScrolling: Bool)
  }

  /// What `arguments` ask for; they do not contain the program's name.
  ///
  /// - Throws: What is wrong with them.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let parsed = try Self.syntax.parse(arguments)
    let settings = try Settings(parsed)
    if parsed.contains(.help) {
      self = .show(Self.help.text)
    } else if parsed.contains(.version) {
      self = .show("ScrollList \(Self.version)\n")
    } else {
      self = .open(settings)
    }
  }

  /// The program's version.
  static let version = "0.1.0"

  fileprivate static let pictures = Option(
    name: "pictures", value: "FOLDER",
    help: "Where the pictures are; those of oxygen-icon-theme and mate-backgrounds by default")
  fileprivate static let reports = Option(
    name: "reports", value: "FOLDER", help: "Where reports of stalls are put; stalls by default")
  fileprivate static let naive = Option(
    flag: "naive", help: "Load as tutorials do: one task before each sleep, 18 at most, the oldest dropped")
  fileprivate static let dropNewest = Option(
    flag: "drop-newest", help: "With --naive: where the list is full, the new task is dropped")
  fileprivate static let whileScrolling = Option(
    flag: "while-scrolling", help: "With --naive: in the tracking mode, too")
  fileprivate static let budget = Option(
    name: "budget", value: "DURATION",
    help: "Idle work in turns of that length, whatever the frame leaves, to see what that costs")
  fileprivate static let json = Option(
    flag: "json", help: "Write what happens to standard output, one JSON object a line; SIGUSR1 asks for one")

  private static let syntax = Syntax(
    options: [pictures, reports, naive, dropNewest, whileScrolling, budget, json, .help, .version])

  private static let help = HelpText(
    usage: "ScrollList [OPTIONS]",
    summary:
      "A list of pictures in a window, loaded on the main loop while it is idle, also while the user scrolls.",
    sections: [
      HelpText.Section(options: syntax.options),
      HelpText.Section(
        "In the window",
        rows: [
          ("drag, flick, wheel", "Scroll: the loop runs in the tracking mode until the list stands still"),
          ("arrows, page keys", "Jump"),
          ("s", "Load the largest pictures at once, as a careless programmer would"),
          ("Escape", "Take the report of the stall away"), ("q", "Leave"),
        ]),
      HelpText.Section(
        "Exit codes",
        rows: [
          ("0", "The window was closed"), ("1", "There is no display, or no picture"),
          ("64", "The command line is wrong"),
        ]),
    ])
}

extension Request.Settings {
  fileprivate init(_ parsed: Arguments) throws(UsageError) {
    pictures = try parsed.value(of: Request.pictures, as: String.self)
    if let reports = try parsed.value(of: Request.reports, as: String.self) { self.reports = reports }
    let budget = try parsed.value(of: Request.budget, as: DurationArgument.self)?.duration
    loading =
      parsed.contains(Request.naive)
      ? .naive(
        dropsNewest: parsed.contains(Request.dropNewest),
        whileScrolling: parsed.contains(Request.whileScrolling))
      : .idleQueue(budget: budget)
    isJSON = parsed.contains(Request.json)
  }
}
