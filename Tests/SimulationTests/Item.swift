import SimulationPrograms

/// An item of the model: every kind's state, most of it unused by each.
final class Item {
  let number: Int
  let kind: Program.Kind
  private let player: Player

  /// The modes that it is served in, with its place among equals there: when it was added or armed.
  var modes: [Program.Mode: Int] = [:]
  /// Whether it joins modes that become common, and since when.
  var joinsSince: Int?
  /// Whether it was taken out of single ones of the common modes.
  var isExcepted = false
  /// When it was added to the common modes.
  var addedToCommon = 0
  /// Its place among those who were excepted, too.
  var exceptedPlace = 0
  var belongsToLoop = false
  var isValid = true
  var isInCallout = false
  /// In how many turns it was served as a source, a port or a descriptor source.
  var timesHandled = 0

  // Sources.
  var isSignalled = false
  var signalNumber = 0

  // Timers.
  /// By mode: another whenever it came into the mode or was given a date.
  var armings: [Program.Mode: Int] = [:]
  var date: Int?
  var isArmed = false
  var isFiring = false
  var dateWasSet = false

  // Descriptor sources.
  var interest: Program.Readiness = []
  /// An error or a hang-up was told, and no interest was set since.
  var isResting = false

  // Ports.
  var messages: [Int] = []
  var isClosed = false

  // Batches and idle queues.
  /// Whether what it has to do counts in its modes: not while it is at it.
  var hasWork = false
  /// A notice of work is on its way to the loop's thread.
  var isNoticed = false
  /// With their numbers, in the order of marking.
  var marks: [(mark: Int, number: Int)] = []
  var tasks: [ModelTask] = []
  var taskUnderWay: ModelTask?
  var endings: [(task: Int, Event.Ending)] = []

  init(number: Int, kind: Program.Kind, player: Player) {
    self.number = number
    self.kind = kind
    self.player = player
  }

  func call(_ what: Event.Callout) { player.called(number, what) }
  func tell(_ what: Event.Callout) { player.note(.called(number, what)) }

  func noteModes(entered: Set<Program.Mode>, left: Set<Program.Mode>) {
    for mode in Program.Mode.runnable where left.contains(mode) { player.note(.cancelled(number, mode)) }
    for mode in Program.Mode.runnable where entered.contains(mode) { player.note(.scheduled(number, mode)) }
  }
}

extension Item {
  var order: Int {
    switch kind {
    case .source(let order), .observer(_, _, let order), .descriptor(_, _, _, let order), .port(_, let order),
      .batch(let order), .idleQueue(_, _, let order):
      order
    default: 0
    }
  }

  var isSource: Bool { if case .source = kind { true } else { false } }
  var isPort: Bool { if case .port = kind { true } else { false } }
  var isObserver: Bool { !activities.isEmpty }
  var isDescriptor: Bool { descriptor != nil }

  var isTimer: Bool {
    switch kind {
    case .timer, .repeatingTimer, .rearmableTimer: true
    default: false
    }
  }

  var interval: Int? { if case .repeatingTimer(let interval) = kind { interval } else { nil } }
  var isRearmable: Bool { if case .rearmableTimer = kind { true } else { false } }

  var activities: Program.Activity {
    switch kind {
    case .observer(let activities, _, _): activities
    case .batch, .idleQueue: .beforeWaiting
    default: []
    }
  }
  var repeats: Bool { if case .observer(_, let repeats, _) = kind { repeats } else { true } }

  var descriptor: Int? { if case .descriptor(let number, _, _, _) = kind { number } else { nil } }
  var isEdge: Bool { if case .descriptor(_, _, let isEdge, _) = kind { isEdge } else { false } }
  var capacity: Int {
    switch kind {
    case .port(let capacity?, _), .idleQueue(let capacity?, _, _): capacity
    default: .max
    }
  }
}
