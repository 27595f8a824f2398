import CommandLineOptions

/// What a command line asks for, wholly checked.
enum Request: Sendable {
  /// To show this text.
  case show(String)
  /// To play one side of one scenario in this process.
  case play(any Scenario, Side)
  /// To compare.
  case compare([any Scenario], Output)

  /// How what was found is shown.
  enum Output: Sendable, Equatable {
    case table(isPlain: Bool)
    case json
    case markdown
    /// Put into a page, in place of what stands there.
    case page(path: String)
  }

  /// What `arguments` ask for; they do not contain the program's name.
  ///
  /// - Throws: What is wrong with them.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let parsed = try Self.syntax.parse(arguments)
    let output = try Output(parsed)
    let scenarios = try Self.scenarios(parsed)
    if parsed.contains(.help) {
      self = .show(Self.help.text)
    } else if let (scenario, side) = try Self.oneSide(parsed) {
      self = .play(scenario, side)
    } else {
      self = .compare(scenarios, output)
    }
  }

  fileprivate static let only = Option(
    name: "only", value: "NAMES", help: "Compare these scenarios, with commas between, in place of all")
  fileprivate static let json = Option(flag: "json", help: "Write JSON, with every fact that was measured")
  fileprivate static let markdown = Option(flag: "markdown", help: "Write the table in Markdown")
  fileprivate static let page = Option(
    name: "page", value: "FILE",
    help: "Write what was measured into a page, behind each <!-- measured: NAME -->")
  fileprivate static let noColor = Option(flag: "no-color", help: "Write no colours, as with NO_COLOR set")
  fileprivate static let scenario = Option(
    name: "scenario", value: "NAME", help: "Play one side of this scenario and write its facts")
  fileprivate static let side = Option(
    name: "side", value: "SIDE", help: "The side to play: cf or mainspring")

  private static let syntax = Syntax(options: [only, json, markdown, page, noColor, scenario, side, .help])

  private static let help = HelpText(
    usage: "Comparison [OPTIONS]",
    summary: "Plays the same scenarios on CFRunLoop, as Foundation has it, and on Mainspring, each side in a "
      + "process of its own, and says what came of it. The verdict is computed from what was measured.",
    sections: [
      HelpText.Section(options: syntax.options),
      HelpText.Section("Scenarios", rows: Scenarios.all.map { ($0.name, $0.title) }),
      HelpText.Section(
        "Exit codes",
        rows: [
          ("0", "Mainspring is right everywhere, and nowhere worse"),
          ("1", "It is not, or a side could not be measured"), ("64", "The command line is wrong"),
        ]),
    ])

  private static func scenarios(_ parsed: Arguments) throws(UsageError) -> [any Scenario] {
    guard let names = try parsed.value(of: only, as: String.self) else { return Scenarios.all }
    var chosen: [any Scenario] = []
    for name in names.split(separator: ",") { chosen.append(try named(String(name), by: only)) }
    return chosen
  }

  private static func oneSide(_ parsed: Arguments) throws(UsageError) -> (any Scenario, Side)? {
    let name = try parsed.value(of: scenario, as: String.self)
    let sideName = try parsed.value(of: side, as: String.self)
    if name == nil, sideName == nil { return nil }
    guard let name else { throw .missingValue(option: scenario.name, example: scenario.spelling) }
    guard let sideName else { throw .missingValue(option: side.name, example: side.spelling) }
    guard let chosen = Side(rawValue: sideName) else {
      throw .malformedValue(
        option: side.name, MalformedArgument("'\(sideName)' is no side; write cf or mainspring"))
    }
    return (try named(name, by: scenario), chosen)
  }

  private static func named(_ name: String, by option: Option) throws(UsageError) -> any Scenario {
    if let scenario = Scenarios.named(name) { return scenario }
    let nearest = Spelling.nearest(to: name, among: Scenarios.all.map(\.name))
    throw .malformedValue(
      option: option.name,
      MalformedArgument(
        "'\(name)' is no scenario; " + (nearest.map { "did you mean \($0)?" } ?? "--help lists them")))
  }
}

extension Request.Output {
  fileprivate init(_ parsed: Arguments) throws(UsageError) {
    let page = try parsed.value(of: Request.page, as: String.self)
    let asked = [Request.json, Request.markdown, Request.page].filter { parsed.contains($0) }
    guard asked.count <= 1 else {
      throw .malformedValue(
        option: asked[1].name, MalformedArgument("it cannot go with --\(asked[0].name); leave one out"))
    }
    self =
      if let page {
        .page(path: page)
      } else if parsed.contains(Request.json) {
        .json
      } else if parsed.contains(Request.markdown) {
        .markdown
      } else {
        .table(isPlain: parsed.contains(Request.noColor))
      }
  }
}
