/// What a player writes down. Values and no texts: nearly all logs are alike, and nobody reads those.
package enum Event: Equatable, Sendable {
  case called(Int, Callout)
  case block(Int)
  case scheduled(Int, Program.Mode)
  case cancelled(Int, Program.Mode)
  case elsewhere
  case update
  case rescue
  case added(Int, Program.Mode, Bool)
  case removed(Int, Program.Mode)
  case invalidated(Int)
  case dateSet(Int, Bool)
  case sent(Int, to: Int, Sending)
  /// A mark, its end, or a task's, was given to an item, or not taken.
  case given(Int, Bool)
  case runBegan(Act.Run)
  case runEnded(Result)
  case stop(metRun: Bool)
  case stopCancelled(Bool)

  package enum Callout: Equatable, Sendable {
    case source, timer
    case activity(Program.Activity)
    case ready(Program.Readiness)
    case message(Int)
    case mark(Int)
    case task(Int)
    /// A task of that number is over.
    case ending(Int, Ending)
  }

  package enum Ending: Sendable { case finished, cancelled, dropped }

  package enum Sending: String, Sendable { case sent, full, closed }

  package struct Result: Equatable, Sendable {
    package var reason: Reason
    package var handledSource: Bool
    package var stopsPassedOver: Int

    package init(_ reason: Reason, handledSource: Bool, stopsPassedOver: Int) {
      self.reason = reason
      self.handledSource = handledSource
      self.stopsPassedOver = stopsPassedOver
    }
  }

  package enum Reason: Equatable, Sendable { case stopped, signalled, handledSource, timedOut, finished }
}

/// An event, when it was, and in how many runs.
package struct Line: Equatable, Sendable {
  package let time: Int
  package let depth: Int
  package let event: Event

  package init(time: Int, depth: Int, event: Event) {
    self.time = time
    self.depth = depth
    self.event = event
  }
}

extension [Line] {
  /// In which order several sources hear that their mode became common, or one of several modes, is nobody's promise:
  /// lines of that kind that follow each other are brought into one order.
  package mutating func arrangeRegistrations() {
    var start = startIndex
    while start < endIndex {
      guard let kind = self[start].registration?.kind else {
        start += 1
        continue
      }
      let end = self[start...].firstIndex { $0.registration?.kind != kind } ?? endIndex
      if end - start > 1 { self[start..<end].sort { $0.registration!.key < $1.registration!.key } }
      start = end
    }
  }
}

extension Line {
  fileprivate var registration: (kind: Int, key: Int)? {
    switch event {
    case .scheduled(let item, let mode): (0, item * Program.Mode.allCases.count + mode.rawValue)
    case .cancelled(let item, let mode): (1, item * Program.Mode.allCases.count + mode.rawValue)
    default: nil
    }
  }
}
