import CommandLineOptions

/// How many stacks are taken.
struct StressRequest {
  var sampleCount = 1_000_000
  /// Whether this is the process that is watched.
  var isWorker = false
  /// What to show in place of it.
  var help: String?

  private static let samplesOption = Option(
    name: "samples", value: "NUMBER", help: "How many stacks to take, without it 1000000")
  private static let workerOption = Option(
    flag: "worker", help: "Do the work; what the watching process says")
  private static let syntax = Syntax(options: [samplesOption, workerOption, .help])

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let parsed = try Self.syntax.parse(arguments)
    isWorker = parsed.contains(Self.workerOption)
    if parsed.contains(.help) {
      help =
        HelpText(
          usage: "CaptureStress [OPTIONS]",
          summary:
            "Takes stacks of threads that do what is hard to be interrupted in, and fails if one is harmed.",
          sections: [HelpText.Section(options: Self.syntax.options)]
        ).text
    }
    if let given = try parsed.value(of: Self.samplesOption, as: SampleCount.self) {
      sampleCount = given.number
    }
  }
}

private struct SampleCount: ArgumentValue {
  let number: Int

  init(argument: String) throws(MalformedArgument) {
    guard let number = Int(argument), (1000...1_000_000_000).contains(number) else {
      throw MalformedArgument("'\(argument)' is no number of stacks from 1000 to 1000000000")
    }
    self.number = number
  }
}
