/// What is done with the program to measure it: the first screen comes, a hand flicks through the list, and the list comes to
/// rest.
public struct Scene {
  /// When nothing was left to be loaded for the first time.
  public let firstRest: Event
  /// When nothing was left to be loaded after that.
  public let secondRest: Event

  /// Plays it.
  ///
  /// - Parameters:
  ///   - onFirstRest: called when the first screen is at rest, before anything is touched.
  ///   - onDrag: called in the middle of it.
  public init(
    with program: ScrollProgram, flicks: Int = 8, onFirstRest: () throws -> Void = {},
    onDrag: () throws -> Void = {}
  ) throws {
    firstRest = try program.wait(for: "settled")
    try onFirstRest()
    try program.flick(times: flicks / 2)
    _ = try program.wait(for: "tracking began")
    try onDrag()
    try program.flick(times: flicks - flicks / 2)
    secondRest = try program.waitForRest()
    let spans = Self.trackingSpans(program.events)
    length = spans.reduce(0) { $0 + $1.end.ms - $1.begin.ms }
    clockInDefaultMode = spans.reduce(0) { $0 + $1.end.clockDefault - $1.begin.clockDefault }
    clockInCommonModes = spans.reduce(0) { $0 + $1.end.clockCommon - $1.begin.clockCommon }
    emptyWhenReleased = spans.last?.end.empty ?? 0
  }

  /// How long the user scrolled, ms.
  public let length: Int
  /// Ticks of the clock in the default mode meanwhile.
  public let clockInDefaultMode: Int
  /// Those of the one in common modes.
  public let clockInCommonModes: Int
  /// Cells without a picture when the list came to stand still.
  public let emptyWhenReleased: Int

  /// The list may have come to stand still in between.
  private static func trackingSpans(_ events: [Event]) -> [(begin: Event, end: Event)] {
    var spans: [(Event, Event)] = []
    var begin: Event?
    for event in events {
      if event.event == "tracking began" { begin = event }
      if event.event == "tracking ended", let begin { spans.append((begin, event)) }
    }
    return spans
  }
}
