/// Everything that one run of the injector wrote.
public struct Session: Sendable {
  /// ns.
  public var threshold: UInt64 = 0
  /// From how long without a wait on a loop is saturated, and a pass without a processor starved, ns.
  public var saturation = UInt64.max
  public var starvation = UInt64.max
  public var seed: UInt64 = 0
  /// From the first injection to the last, ns.
  public var duration: UInt64 = 0
  public var truths: [Truth] = []
  /// When the whole process was stopped.
  public var stops: [Interval] = []
  /// The last word on each stall.
  public var told: [Told] = []

  public init() {}

  /// Runs of the same grid, one after the other, as one.
  /// - Throws: where two had not the same thresholds.
  public init(joining sessions: [Session]) throws(LogError) {
    guard let first = sessions.first else { throw LogError(line: "no log", field: "session") }
    self = first
    for session in sessions.dropFirst() {
      let thresholds = (session.threshold, session.saturation, session.starvation)
      guard thresholds == (threshold, saturation, starvation) else {
        throw LogError(line: "the logs of a run with other thresholds", field: "threshold \(threshold)")
      }
      duration += session.duration
      truths += session.truths
      stops += session.stops
      told += session.told
    }
  }

  /// - Throws: for a line that lacks what it must have.
  public init(texts: [String]) throws(LogError) {
    var indexOfReport: [String: Int] = [:]
    for text in texts {
      for line in text.split(separator: "\n").compactMap({ LogLine(text: $0) }) {
        switch line.kind {
        case "session":
          threshold = try line.number("threshold")
          saturation = line[number: "saturation"] ?? saturation
          starvation = line[number: "starvation"] ?? starvation
          seed = line[number: "seed"] ?? 0
        case "end": duration = line[number: "duration"] ?? 0
        case "truth": truths.append(try Truth(line))
        case "stop": stops.append(Interval(try line.number("start"), try line.number("end")))
        case "report":
          var told = try Told(line)
          if let index = indexOfReport[told.teller + told.id] {
            // The program heard of it by the first word.
            told.heard = self.told[index].heard ?? told.heard
            self.told[index] = told
          } else {
            indexOfReport[told.teller + told.id] = self.told.count
            self.told.append(told)
          }
        default: break
        }
      }
    }
    guard threshold > 0 else { throw LogError(line: "the truth log", field: "session") }
  }
}
