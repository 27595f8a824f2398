import CommandLineOptions

/// What a command line asks for, wholly checked.
enum Request: Sendable {
  /// To show this text.
  case show(String)
  /// To do an operation in this process, where a tool watches.
  case measure(Operation, hasOldEpoll: Bool)
  /// To count operations and to compare with the limits.
  case count([Operation], Output)

  /// To show where the instructions and the allocations of an operation are.
  case breakDown(Operation)

  /// What becomes of what was counted.
  enum Output: Sendable, Equatable {
    case table
    /// What is not as it must be, and nothing else.
    case complaints
    case json
    /// The table, and limits that are too high are lowered in their file.
    case rebase
  }

  /// What `arguments` ask for; they do not contain the program's name.
  ///
  /// - Throws: What is wrong with them.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let parsed = try Self.syntax.parse(arguments)
    let operations = try Self.operations(parsed)
    let output = try Output(parsed)
    if parsed.contains(.help) {
      self = .show(Self.help.text)
    } else if let name = try parsed.value(of: Self.measure, as: String.self) {
      self = .measure(
        try Self.named(name, by: Self.measure), hasOldEpoll: parsed.contains(Self.oldEpoll))
    } else if let name = try parsed.value(of: Self.where, as: String.self) {
      self = .breakDown(try Self.named(name, by: Self.where))
    } else {
      self = .count(operations, output)
    }
  }

  fileprivate static let only = Option(
    name: "only", value: "NAMES", help: "Count these operations, with commas between, in place of all")
  fileprivate static let json = Option(flag: "json", help: "Write JSON, with the calls' names")
  fileprivate static let quiet = Option(flag: "quiet", help: "Write only what is not as it must be")
  fileprivate static let rebase = Option(
    flag: "rebase", help: "Lower the limits that are well above what was counted; raising one is done by hand"
  )
  private static let `where` = Option(
    name: "where", value: "NAME",
    help: "Show in which functions this operation's instructions are, and which ask for memory")
  private static let measure = Option(
    name: "measure", value: "NAME", help: "Do this operation in this process, for a tool to watch")
  private static let oldEpoll = Option(
    flag: "old-epoll", help: "With --measure: the tool does not know epoll_pwait2")

  private static let syntax = Syntax(options: [only, json, quiet, rebase, `where`, measure, oldEpoll, .help])

  private static var help: HelpText {
    HelpText(
      usage: "Tools/counts.sh [OPTIONS]",
      summary:
        "Counts the calls to the kernel, the allocations and the instructions of operations of the loop's "
        + "public interface, and compares with the limits of Benchmarks/counts.txt. Fails if one is exceeded.",
      sections: [
        HelpText.Section(options: syntax.options),
        HelpText.Section("Operations", rows: Operations.all.map { ($0.name, $0.what) }),
      ])
  }

  private static func operations(_ parsed: Arguments) throws(UsageError) -> [Operation] {
    guard let names = try parsed.value(of: only, as: String.self) else { return Operations.all }
    var chosen: [Operation] = []
    for name in names.split(separator: ",") { chosen.append(try named(String(name), by: only)) }
    return chosen
  }

  private static func named(_ name: String, by option: Option) throws(UsageError) -> Operation {
    if let operation = Operations.named(name) { return operation }
    let nearest = Spelling.nearest(to: name, among: Operations.all.map(\.name))
    throw .malformedValue(
      option: option.name,
      MalformedArgument(
        "'\(name)' is no operation; " + (nearest.map { "did you mean \($0)?" } ?? "--help lists them")))
  }
}

extension Request.Output {
  fileprivate init(_ parsed: Arguments) throws(UsageError) {
    let asked = [Request.json, Request.quiet, Request.rebase].filter { parsed.contains($0) }
    guard asked.count <= 1 else {
      throw .malformedValue(
        option: asked[1].name, MalformedArgument("it cannot go with --\(asked[0].name); leave one out"))
    }
    self =
      switch asked.first {
      case Request.json: .json
      case Request.quiet: .complaints
      case Request.rebase: .rebase
      default: .table
      }
  }
}
