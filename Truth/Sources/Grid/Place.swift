/// Where in a loop's life an injection is made.
public enum Place: Sendable, Hashable {
  case timer, source0, port, descriptor, block
  /// In an observer of the activity, called before all others or after them.
  case observer(Moment, isFirst: Bool)
  /// In a source of a run within a callout.
  case nested
  /// In a callout that has run the loop before.
  case afterNested
  /// Between the end of a run and the next one: no stall of the loop's.
  case outside
  /// In the first pass of a loop that never waited; each has a loop of its own.
  case firstPass

  /// The activities of a run.
  public enum Moment: String, Sendable, CaseIterable {
    case entry, beforeTimers, beforeSources, beforeWaiting, afterWaiting, exit
  }

  /// Every place, in the order of the documentation.
  public static let all: [Place] =
    [.timer, .source0, .port, .descriptor, .block]
    + Moment.allCases.flatMap { [.observer($0, isFirst: true), .observer($0, isFirst: false)] }
    + [.nested, .afterNested, .outside, .firstPass]

  /// The place as it is written.
  public var name: String {
    switch self {
    case .timer: "timer"
    case .source0: "source0"
    case .port: "port"
    case .descriptor: "descriptor"
    case .block: "block"
    case .observer(let moment, let isFirst): "\(moment.rawValue)/\(isFirst ? "first" : "last")"
    case .nested: "nested"
    case .afterNested: "after-nested"
    case .outside: "outside"
    case .firstPass: "first-pass"
    }
  }

  /// The phase that a report of a loop with these places should name.
  var phase: String {
    switch self {
    case .timer: "timer"
    case .source0, .nested: "source0"
    case .port, .descriptor: "source1"
    case .block, .afterNested, .firstPass: "block"
    case .observer(let moment, _): "observer:\(moment.rawValue)"
    case .outside: "outside"
    }
  }

  /// How many runs are on the stack.
  public var nesting: Int {
    switch self {
    case .outside: 0
    case .nested: 2
    default: 1
    }
  }

  public init?(name: some StringProtocol) {
    guard let place = Self.all.first(where: { $0.name == name }) else { return nil }
    self = place
  }
}
