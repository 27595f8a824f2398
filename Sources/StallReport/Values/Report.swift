/// One stall as plain values: what happened, where, when, at what cost, and the evidence.
///
/// Unknown is `nil`, never zero; every list may be empty. Frames and stacks are tables, samples and
/// threads refer to them by index. The encoding (``encode(to:)``) follows the schema `stall-report/1`.
public struct Report: Sendable, Equatable {
  /// The name and version of the encoding.
  public static let schema = "stall-report/1"

  /// The report's own number: the same in every later state of the same stall.
  public var id: Identifier
  /// What sort of stall it is.
  public var kind: Kind
  /// Whether it is over, and how it ended.
  public var state: State
  /// What groups it with its like; set by ``computeFingerprint()``.
  public var fingerprint: Fingerprint?
  /// The program.
  public var app: Application
  /// The machine or container.
  public var host = Host()
  /// The hardware's sort.
  public var device = Device()
  /// The process.
  public var process: Process
  /// The loop that stalled.
  public var loop: Loop
  /// What the loop was doing.
  public var phase: Phase
  /// When, and how exactly that is known.
  public var time: Time
  /// Where the time went.
  public var cost: Cost
  /// One long item or many short ones.
  public var shape = Shape()
  /// How far the report can be trusted.
  public var confidence = Confidence()
  /// Images, frames and stacks.
  public var stacks = StackTable()
  /// The series of stacks of the stalled thread, oldest first.
  public var samples: [Sample] = []
  /// How many samples were taken and not kept.
  public var samplesDropped = 0
  /// The threads, the stalled one among them.
  public var threads: [Thread] = []
  /// Who waits on whom.
  public var waits = Waits()
  /// Values that the program attached to its work.
  public var annotations: [String: String] = [:]
  /// What the program noted shortly before.
  public var breadcrumbs: [Breadcrumb] = []
  /// How the loop behaved before.
  public var passes = Passes()
  /// Where else this stall is known.
  public var links = Links()
  /// Which share of the stalls is reported.
  public var sampling = Sampling()
  /// What the monitor itself cost.
  public var monitor: Monitor
  /// Which parts were left out for privacy.
  public var redactions: [String] = []

  /// A report with its indispensable parts; the others are unknown until they are set.
  public init(
    id: Identifier, kind: Kind, state: State, app: Application, process: Process, loop: Loop,
    phase: Phase, time: Time, cost: Cost, monitor: Monitor
  ) {
    self.id = id
    self.kind = kind
    self.state = state
    self.app = app
    self.process = process
    self.loop = loop
    self.phase = phase
    self.time = time
    self.cost = cost
    self.monitor = monitor
  }
}
