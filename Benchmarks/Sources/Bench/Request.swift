import CommandLineOptions

/// What a command line asks for, wholly checked.
enum Request: Sendable {
  /// To show this text.
  case show(String)
  /// To compute until the parent ends.
  case burn
  case measure(Plan, Pace, Output)
  /// To measure how costs grow, into a folder, and perhaps to say in a page where that was.
  case grow([Growth], Pace, folder: String, page: String?)

  /// How often, and for how long.
  struct Pace: Sendable, Equatable {
    var repetitions: Int
    var budget: Duration
    /// Of one phase of a cell.
    var cap: Duration
  }

  /// How what was measured is shown.
  enum Output: Sendable, Equatable {
    case tables(isPlain: Bool)
    case json
    /// The tables, and a page with what stands there replaced.
    case page(path: String, isPlain: Bool)
  }

  /// What `arguments` ask for; they do not contain the program's name.
  ///
  /// - Throws: What is wrong with them.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let parsed = try Self.syntax.parse(arguments)
    if parsed.contains(.help) {
      self = .show(Self.help.text)
    } else if parsed.contains(Self.asHog) {
      self = .burn
    } else if let folder = try parsed.value(of: Self.growth, as: String.self) {
      self = .grow(
        try Self.growths(parsed), try Self.pace(parsed), folder: folder,
        page: try parsed.value(of: Self.page, as: String.self))
    } else {
      self = .measure(try Self.plan(parsed), try Self.pace(parsed), try Self.output(parsed))
    }
  }

  private static let only = Option(
    name: "only", value: "NAMES",
    help: "Measure the workloads whose names begin so, with commas between: w1,w4,other")
  private static let peers = Option(
    name: "peers", value: "NAMES", help: "Measure these peers, with commas between, in place of all")
  private static let repetitions = Option(
    name: "reps", value: "NUMBER",
    help: "Repeat everything so often, if the budget allows; 5 unless said, 3 for growth")
  private static let budget = Option(
    name: "budget", value: "DURATION", help: "End after the repetition before this is over; 7m unless said")
  private static let cap = Option(
    name: "cap", value: "DURATION", help: "How long one phase of a cell may take; 3s unless said")
  private static let hog = Option(
    flag: "hog", help: "Measure only with a process beside that computes all the time")
  private static let noHog = Option(flag: "no-hog", help: "Measure only on the idle machine")
  private static let long = Option(flag: "long", help: "Measure timers 5 s away, too")
  private static let json = Option(flag: "json", help: "Write JSON, with every figure of every run")
  private static let page = Option(
    name: "page", value: "FILE",
    help: "Write the tables into a page, too, behind each <!-- measured: NAME -->")
  private static let growth = Option(
    name: "growth", value: "FOLDER",
    help:
      "Measure in place of all that how costs grow with timers, descriptors and modes, as tables for plots")
  private static let noColor = Option(flag: "no-color", help: "Write no colours, as with NO_COLOR set")
  private static let asHog = Option(flag: "burn", help: "Be the process that computes all the time")

  private static let syntax = Syntax(options: [
    only, peers, repetitions, budget, cap, hog, noHog, long, json, page, growth, noColor, asHog, .help,
  ])

  private static let help = HelpText(
    usage: "Bench [OPTIONS]",
    summary:
      "Measures run loops side by side, each run in a process of its own: repetition by repetition, cell by "
      + "cell, peer by peer, another one first each time. Prints medians, the least in brackets, beside them the "
      + "median with a hog, and the goals with the two figures each is judged by.",
    sections: [
      HelpText.Section(options: syntax.options),
      HelpText.Section("Peers", rows: [(Peers.all.map(\.name).joined(separator: ", "), "")]),
      HelpText.Section(
        "Exit codes",
        rows: [
          ("0", "It was measured, whatever came of it"), ("1", "It could not be"),
          ("64", "The command line is wrong"),
        ]),
    ])

  private static func plan(_ parsed: Arguments) throws(UsageError) -> Plan {
    let whole = Plan.whole(isLong: parsed.contains(long))
    let workloads = try names(of: only, in: parsed)
    for name in workloads ?? [] where !whole.entries.contains(where: { $0.cell.workload.hasPrefix(name) }) {
      throw unknown(name, "workload", of: only, among: whole.entries.map(\.cell.workload))
    }
    let chosen = try names(of: peers, in: parsed)
    for name in chosen ?? [] where Peers.named(name) == nil {
      throw unknown(name, "peer", of: peers, among: Peers.all.map(\.name))
    }
    if parsed.contains(hog), parsed.contains(noHog) {
      throw .malformedValue(option: noHog.name, MalformedArgument("it cannot go with --hog; leave one out"))
    }
    return whole.only(
      workloads: workloads, peers: chosen,
      loads: parsed.contains(hog) ? [.hog] : parsed.contains(noHog) ? [.idle] : Load.allCases)
  }

  private static func growths(_ parsed: Arguments) throws(UsageError) -> [Growth] {
    guard let beginnings = try names(of: only, in: parsed) else { return Growths.all }
    for name in beginnings where !Growths.all.contains(where: { $0.name.hasPrefix(name) }) {
      throw unknown(name, "growth", of: only, among: Growths.all.map(\.name))
    }
    return Growths.all.filter { growth in beginnings.contains { growth.name.hasPrefix($0) } }
  }

  private static func pace(_ parsed: Arguments) throws(UsageError) -> Pace {
    Pace(
      repetitions: try parsed.integer(of: repetitions, in: 1...1000) ?? (parsed.contains(growth) ? 3 : 5),
      budget: try parsed.value(of: budget, as: DurationArgument.self)?.duration ?? .seconds(420),
      cap: try parsed.value(of: cap, as: DurationArgument.self)?.duration ?? .seconds(3))
  }

  private static func output(_ parsed: Arguments) throws(UsageError) -> Output {
    let path = try parsed.value(of: page, as: String.self)
    if path != nil, parsed.contains(json) {
      throw .malformedValue(option: page.name, MalformedArgument("it cannot go with --json; leave one out"))
    }
    let isPlain = parsed.contains(noColor)
    if let path { return .page(path: path, isPlain: isPlain) }
    return parsed.contains(json) ? .json : .tables(isPlain: isPlain)
  }

  private static func names(of option: Option, in parsed: Arguments) throws(UsageError) -> [String]? {
    try parsed.value(of: option, as: String.self)?.split(separator: ",").map(String.init)
  }

  private static func unknown(
    _ name: String, _ kind: String, of option: Option, among known: [String]
  ) -> UsageError {
    let nearest = Spelling.nearest(to: name, among: known)
    return .malformedValue(
      option: option.name,
      MalformedArgument(
        "'\(name)' is no \(kind); " + (nearest.map { "did you mean \($0)?" } ?? "--help lists them")))
  }
}
