import CommandLineOptions

/// How long and how fast.
struct SoakRequest {
  var duration = Duration.seconds(3600)
  var rate = 100_000
  /// What to show in place of soaking.
  var help: String?

  private static let durationOption = Option(
    name: "duration", value: "TIME", help: "How long, such as 90s or 1h; without it an hour")
  private static let rateOption = Option(
    name: "rate", value: "NUMBER", help: "Operations a second, without it 100000")
  private static let syntax = Syntax(options: [durationOption, rateOption, .help])

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let parsed = try Self.syntax.parse(arguments)
    if parsed.contains(.help) {
      help =
        HelpText(
          usage: "Soak [OPTIONS]",
          summary: "Keeps two loops busy with every kind of operation, and fails if one is lost or memory, "
            + "descriptors or threads grow.",
          sections: [HelpText.Section(options: Self.syntax.options)]
        ).text
    }
    if let given = try parsed.value(of: Self.durationOption, as: DurationArgument.self) {
      duration = given.duration
    }
    if let given = try parsed.value(of: Self.rateOption, as: Rate.self) { rate = given.perSecond }
  }
}

/// Operations a second.
private struct Rate: ArgumentValue {
  let perSecond: Int

  init(argument: String) throws(MalformedArgument) {
    guard let number = Int(argument), (1000...10_000_000).contains(number) else {
      throw MalformedArgument("'\(argument)' is no number of operations a second from 1000 to 10000000")
    }
    perSecond = number
  }
}
