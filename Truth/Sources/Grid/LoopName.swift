/// Which loop an injection is made on.
public enum LoopName: String, Sendable, CaseIterable {
  /// The main thread's.
  case main
  /// One on a thread of its own.
  case second
  /// A program's own loop over poll(2), which sets the monitor's marks.
  case marks
  /// A serial dispatch queue that is used through the monitor's adapter.
  case queue
  /// One that others use directly, and the monitor pings.
  case pinged
  /// An actor on a watched executor.
  case actor
  /// A CFRunLoop on a thread of its own.
  case cfrunloop
}

extension LoopName {
  /// Where the loop can be stalled.
  var places: [Place] {
    switch self {
    case .main: Place.all
    case .second: Place.all.filter { $0 != .outside }
    case .marks: [.timer, .descriptor, .block, .nested, .afterNested]
    case .queue, .pinged, .actor: [.block]
    case .cfrunloop: Place.all.filter { ![.port, .descriptor, .firstPass].contains($0) }
    }
  }

  /// What many short items can be of: passes and items that the loop itself tells apart.
  var manyItems: [Work] {
    switch self {
    case .main, .second: [.backlog, .saturation]
    case .marks: [.backlog]
    case .cfrunloop: [.saturation]
    case .queue, .pinged, .actor: []
    }
  }

  var hasOtherMode: Bool { [.main, .second, .cfrunloop].contains(self) }
  var hasThreadOfItsOwn: Bool { ![.queue, .pinged, .actor].contains(self) }

  /// Whether a monitor can know when a stall began; a ping is sent when it may have been on for half a threshold.
  public var isSeenFromItsBeginning: Bool { self != .pinged }
}

extension Cell {
  /// The phase that a report should name.
  public var phase: String {
    switch loop {
    case .main, .second, .cfrunloop: place.phase
    // The loop's own words.
    case .marks: place == .afterNested ? "block" : place.name
    case .queue, .pinged: "block"
    case .actor: "job"
    }
  }

  /// Why a cell cannot be injected, if so.
  var contradiction: String? {
    if !loop.places.contains(place) {
      return "phase=\(place.name) is none of loop=\(loop): " + loop.places.map(\.name).joined(separator: ", ")
    }
    if [.backlog, .saturation].contains(work), !loop.manyItems.contains(work) {
      let all = LoopName.allCases.filter { $0.manyItems.contains(work) }
      return "a \(work) is of " + all.map { "loop=\($0)" }.joined(separator: ", ")
    }
    if work == .backlog, place != .block { return "a backlog is of blocks: phase=block" }
    if work == .saturation, place != .source0 { return "a saturation is of a source: phase=source0" }
    if isInOtherMode, place == .firstPass || !loop.hasOtherMode {
      return "loop=\(loop) phase=\(place.name) has no other mode"
    }
    let hasSignals = hostilities.contains { if case .signals = $0 { true } else { false } }
    if hasSignals, !loop.hasThreadOfItsOwn { return "loop=\(loop) has no thread to be sent signals" }
    if loop == .pinged { return contradictionOfPings }
    return nil
  }

  /// What lasts for up to one and a half thresholds may be over before a ping has been out for one.
  private static let pingedMin = 1.6
  private static let shortMax = 0.9

  private var contradictionOfPings: String? {
    let isPromised = lengths.bounds.allSatisfy { $0.nanoseconds == 0 && $0.thresholds >= Self.pingedMin }
    let isShort = lengths.bounds.allSatisfy { $0.nanoseconds == 0 && $0.thresholds <= Self.shortMax }
    if isPromised || isShort || work == .nothing { return nil }
    return
      "of loop=pinged nothing is promised between \(Self.shortMax)T and \(Self.pingedMin)T, in which T is the unit"
  }
}

extension Grid {
  /// The same with the cells of some loops.
  public func cells(of loops: Set<LoopName>) -> Grid {
    var grid = self
    grid.cells.removeAll { !loops.contains($0.loop) }
    return grid
  }
}
