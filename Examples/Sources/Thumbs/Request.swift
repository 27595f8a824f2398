import CommandLineOptions

/// What a command line asks for, wholly checked.
enum Request: Sendable, Equatable {
  /// To show this text.
  case show(String)
  /// To make thumbnails.
  case makeThumbnails(Settings)

  /// What the options say, or else the defaults.
  struct Settings: Sendable, Equatable {
    /// The folder whose pictures are shown: the default is that of Debian's package mate-backgrounds.
    var pictures = "/usr/share/backgrounds/mate"
    /// The folder for the thumbnails.
    var output = "thumbnails"
    /// The folder for the reports of stalls.
    var reports = "stalls"
    /// What counts as a stall.
    var threshold = Duration.milliseconds(250)
    /// The longer side of a thumbnail in pixels.
    var side = 256
    /// Whether to write JSON in place of text for people.
    var isJSON = false
    /// Whether colours are refused, whatever the terminal has.
    var isPlain = false
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
      self = .show("Thumbs \(Self.version)\n")
    } else {
      self = .makeThumbnails(settings)
    }
  }

  /// The program's version.
  static let version = "0.1.0"

  fileprivate static let pictures = Option(
    name: "pictures", value: "FOLDER", help: "Where the pictures are; /usr/share/backgrounds/mate by default")
  fileprivate static let output = Option(
    name: "output", value: "FOLDER", help: "Where thumbnails are put; thumbnails by default")
  fileprivate static let reports = Option(
    name: "reports", value: "FOLDER", help: "Where reports of stalls are put; stalls by default")
  fileprivate static let threshold = Option(
    name: "threshold", value: "DURATION", help: "What counts as a stall, 20ms or more; 250ms by default")
  fileprivate static let side = Option(
    name: "size", value: "PIXELS", help: "The longer side of a thumbnail, 16 to 2048; 256 by default")
  fileprivate static let json = Option(flag: "json", help: "Write JSON in place of text")
  fileprivate static let noColor = Option(flag: "no-color", help: "Write no colours, as with NO_COLOR set")

  private static let syntax = Syntax(
    options: [pictures, output, reports, threshold, side, json, noColor, .help, .version])

  private static let help = HelpText(
    usage: "Thumbs [OPTIONS]",
    summary: "Makes thumbnails of a folder's pictures on a run loop, with one careless callback among them, "
      + "and shows who held the loop up.",
    sections: [
      HelpText.Section(options: syntax.options),
      HelpText.Section(
        "Exit codes",
        rows: [
          ("0", "All thumbnails were made"), ("1", "A picture could not be read, or a file not written"),
          ("64", "The command line is wrong"),
        ]),
    ])
}

extension Request.Settings {
  fileprivate init(_ parsed: Arguments) throws(UsageError) {
    if let pictures = try parsed.value(of: Request.pictures, as: String.self) { self.pictures = pictures }
    if let output = try parsed.value(of: Request.output, as: String.self) { self.output = output }
    if let reports = try parsed.value(of: Request.reports, as: String.self) { self.reports = reports }
    if let threshold = try parsed.value(of: Request.threshold, as: DurationArgument.self) {
      self.threshold = threshold.duration
      guard self.threshold >= .milliseconds(20) else {
        throw .malformedValue(
          option: Request.threshold.name,
          MalformedArgument("the shortest threshold is 20ms; write 20ms or more"))
      }
    }
    if let side = try parsed.integer(of: Request.side, in: 16...2048) { self.side = side }
    isJSON = parsed.contains(Request.json)
    isPlain = parsed.contains(Request.noColor)
  }
}
