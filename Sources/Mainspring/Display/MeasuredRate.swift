/// How many frames a display shows, measured by what it tells of them.
package struct MeasuredRate {
  /// Frames in a thousand seconds.
  package private(set) var millihertz: UInt64
  private var anchor: (number: UInt64, date: UInt64)?

  /// So many frames are waited for before they are believed: servers tell of single ones with a jitter of milliseconds.
  private static let fewest: UInt64 = 8
  /// After so many it is measured anew, so that a change shows.
  private static let most: UInt64 = 240
  /// What is no display's rate, is a clock that was set or a server that had slept.
  package static let believable: ClosedRange<UInt64> = 1000...1_000_000
  private static let nanosecondsInThousandSeconds: UInt64 = 1_000_000_000_000

  package init(millihertz: UInt64) { self.millihertz = millihertz }

  /// What was told until now says nothing of what comes.
  package mutating func beginAnew() { anchor = nil }

  /// - Parameter date: ns.
  package mutating func note(_ number: UInt64, at date: UInt64) {
    guard let anchor, number > anchor.number, date > anchor.date else {
      anchor = (number, date)
      return
    }
    let frames = number - anchor.number
    guard frames >= Self.fewest else { return }
    let (all, overflow) = frames.multipliedReportingOverflow(by: Self.nanosecondsInThousandSeconds)
    let measured = overflow ? 0 : all / (date - anchor.date)
    if Self.believable.contains(measured) { millihertz = measured } else { self.anchor = (number, date) }
    if frames >= Self.most { self.anchor = (number, date) }
  }
}
