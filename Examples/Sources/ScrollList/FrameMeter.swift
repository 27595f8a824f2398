/// Counts frames that were not shown in time, and tells whose fault that was.
///
/// Each frame of the display has a place that a picture can be shown in. A picture that is drawn within its frame is shown in
/// the next one's place; the places without a new picture are the missed ones. A frame can be missed because the loop was
/// busy for so long that it did not look whether one had come: then the time between two looks, without what the thread
/// waited for a processor, and what the drawing took, are a frame together. Else the machine had no processor for the program
/// or for the display's server.
struct FrameMeter {
  /// A point in time, ns, and how long the thread had waited for a processor until then.
  struct Moment {
    var time: UInt64
    var delay: UInt64

    /// How long the thread ran, or waited for others than a processor, since then.
    func busy(until other: Moment) -> UInt64 {
      let (wall, waited) = (other.time - min(other.time, time), other.delay - min(other.delay, delay))
      return wall - min(wall, waited)
    }
  }

  struct Counts: Equatable {
    var shown: UInt64 = 0
    /// Missed because the loop was busy.
    var missedBusy: UInt64 = 0
    /// Missed because there was no processor.
    var missedStarved: UInt64 = 0
    /// The longest time between two looks of the loop, ns, without what it waited for a processor.
    var longestBusy: UInt64 = 0

    var missedBusyShare: Double {
      let all = shown + missedBusy + missedStarved
      return all == 0 ? 0 : Double(missedBusy) / Double(all)
    }
  }

  /// Frames while the user scrolled.
  private(set) var tracking = Counts()
  /// The others.
  private(set) var resting = Counts()

  private var busySince: Moment?
  /// The longest time between two looks since the last frame.
  private var longest: UInt64 = 0
  private var lastPlace: UInt64?

  /// The loop looks for what has come.
  mutating func looked(at now: Moment) {
    endStretch(at: now)
    busySince = now
  }

  /// The loop waits from here on.
  mutating func waits(at now: Moment) {
    endStretch(at: now)
    busySince = nil
  }

  private mutating func endStretch(at now: Moment) {
    if let busySince { longest = max(longest, busySince.busy(until: now)) }
  }

  /// A picture was sent to the display.
  ///
  /// - Parameters:
  ///   - frame: the number of the frame that it was drawn in, when that began and how long it lasts, ns.
  mutating func shown(
    in frame: (number: UInt64, begin: UInt64, length: UInt64), at now: Moment, isTracking: Bool
  ) {
    let drawing = busySince.map { $0.busy(until: now) } ?? 0
    let late = now.time - min(now.time, frame.begin)
    let place = frame.number + max(1, (late + frame.length - 1) / max(1, frame.length))
    let missed = lastPlace.map { place - min(place, $0 + 1) } ?? 0
    let busy = min(missed, (longest + drawing) / max(1, frame.length))
    var counts = isTracking ? tracking : resting
    counts.shown += 1
    counts.missedBusy += busy
    counts.missedStarved += missed - busy
    counts.longestBusy = max(counts.longestBusy, max(longest, drawing))
    if isTracking { tracking = counts } else { resting = counts }
    lastPlace = max(place, lastPlace ?? 0)
    longest = 0
    if busySince != nil { busySince = now }
  }
}
