import CommandLineOptions

/// What a command line asks for.
package struct Request: Sendable {
  /// The program that was called.
  var program: String
  package var grid: String
  package var folder: String
  package var scale: Double
  package var withBaselines: Bool
}

/// The command line of an injector.
struct RequestSyntax {
  let program: String
  let hasBaselines: Bool

  private static let grid = Option(name: "grid", value: "FILE", help: "The injection file")
  private static let out = Option(name: "out", value: "FOLDER", help: "Where the logs are put")
  private static let scale = Option(
    name: "scale", value: "NUMBER", help: "Take each cell's count times this, at least one")
  private static let baselines = Option(
    flag: "baselines", help: "Have the baselines watch the same loops, too")

  private var syntax: Syntax {
    Syntax(options: [Self.grid, Self.out, Self.scale] + (hasBaselines ? [Self.baselines] : []) + [.help])
  }

  var help: String {
    HelpText(
      usage: "\(program) --grid=FILE --out=FOLDER [OPTIONS]",
      summary:
        "Stalls loops that a monitor watches, as an injection file says, and logs what it did and what "
        + "the monitor told. truth-score compares the two.",
      sections: [HelpText.Section(options: syntax.options)]
    ).text
  }

  /// Nil if the help is asked for.
  func request(_ arguments: some Sequence<String>) throws(UsageError) -> Request? {
    let parsed = try syntax.parse(arguments)
    if parsed.contains(.help) { return nil }
    guard let grid = try parsed.value(of: Self.grid, as: String.self) else { throw .missingOperand("--grid") }
    guard let folder = try parsed.value(of: Self.out, as: String.self) else { throw .missingOperand("--out") }
    let text = try parsed.value(of: Self.scale, as: String.self) ?? "1"
    guard let scale = Double(text), scale > 0, scale <= 1000 else {
      throw .malformedValue(
        option: "scale", MalformedArgument("'\(text)' is not a number above 0 and up to 1000"))
    }
    return Request(
      program: program, grid: grid, folder: folder, scale: scale,
      withBaselines: hasBaselines && parsed.contains(Self.baselines))
  }
}
