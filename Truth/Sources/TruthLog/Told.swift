/// What a monitor or a baseline told of one stall, in its last word.
public struct Told: Sendable, Equatable {
  /// `monitor`, or a baseline's name.
  public var teller: String
  public var id: String
  public var kind: String
  public var state: String
  public var loop: String
  public var interval: Interval
  /// The length without what does not count, ns.
  public var duration: UInt64
  /// By how much start and end may be wrong, ns.
  public var startUncertainty: UInt64?
  public var endUncertainty: UInt64?
  /// When the monitor was certain, ns on the monotonic clock, and when the program heard of it.
  public var detected: UInt64?
  public var heard: UInt64?
  /// How often the monitor looks, ns.
  public var tick: UInt64?
  public var culprit: String?
  /// The culprit's share of the samples' weight.
  public var share: Double?
  /// The program's functions from the callout to the culprit, and those of the heaviest stack.
  public var chain: [String] = []
  public var stack: [String] = []
  public var verdict: String?
  public var phase: String?
  public var nesting: Int?
  public var sampleCount = 0
  public var droppedCount = 0
  /// What each sample cost the stalled thread, ns.
  public var costs: [UInt64] = []
  public var flags: [String] = []

  public init(
    teller: String, id: String, kind: String = "stall", state: String = "recovered", loop: String,
    interval: Interval
  ) {
    self.teller = teller
    self.id = id
    self.kind = kind
    self.state = state
    self.loop = loop
    self.interval = interval
    duration = interval.length
  }

  /// Stands between the names of a list; in no name of a function.
  private static let separator: Character = "\u{1F}"

  public var line: LogLine {
    var line = LogLine("report")
    line["teller"] = teller
    line["id"] = id
    line["kind"] = kind
    line["state"] = state
    line["loop"] = loop
    line[number: "start"] = interval.start
    line[number: "end"] = interval.end
    line[number: "duration"] = duration
    line[number: "start-uncertainty"] = startUncertainty
    line[number: "end-uncertainty"] = endUncertainty
    line[number: "detected"] = detected
    line[number: "heard"] = heard
    line[number: "tick"] = tick
    line["culprit"] = culprit
    line["share"] = share.map { "\($0)" }
    line["chain"] = chain.joined(separator: "\(Self.separator)")
    line["stack"] = stack.joined(separator: "\(Self.separator)")
    line["class"] = verdict
    line["phase"] = phase
    line["nesting"] = nesting.map { "\($0)" }
    line["samples"] = "\(sampleCount)"
    line["dropped"] = "\(droppedCount)"
    line["costs"] = costs.map { "\($0)" }.joined(separator: ",")
    line["flags"] = flags.joined(separator: ",")
    return line
  }

  public init(_ line: LogLine) throws(LogError) {
    self.init(
      teller: try line.text("teller"), id: try line.text("id"), kind: try line.text("kind"),
      state: try line.text("state"), loop: try line.text("loop"),
      interval: Interval(try line.number("start"), try line.number("end")))
    func list(_ key: String, _ separator: Character) -> [String] {
      (line[key] ?? "").split(separator: separator).map(String.init)
    }
    duration = line[number: "duration"] ?? duration
    startUncertainty = line[number: "start-uncertainty"]
    endUncertainty = line[number: "end-uncertainty"]
    detected = line[number: "detected"]
    heard = line[number: "heard"]
    tick = line[number: "tick"]
    culprit = line["culprit"]
    share = line.decimal("share")
    chain = list("chain", Self.separator)
    stack = list("stack", Self.separator)
    verdict = line["class"]
    phase = line["phase"]
    nesting = line["nesting"].flatMap { Int($0) }
    sampleCount = Int(line[number: "samples"] ?? 0)
    droppedCount = Int(line[number: "dropped"] ?? 0)
    costs = list("costs", ",").compactMap { UInt64($0) }
    flags = list("flags", ",")
  }
}
