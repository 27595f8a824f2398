public import Mainspring

/// The phases of passes and the callouts in them, in order, with their times: to compare with what is expected.
public final class PassTrace {
  private let clock: VirtualPoller
  /// What was recorded since the start or the last `clear`.
  public private(set) var entries: [Entry] = []

  init(clock: VirtualPoller) { self.clock = clock }

  /// One step of a pass.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// `entry`, `beforeTimers`, `beforeSources`, `beforeWaiting`, `waiting`, `afterWaiting`, `exit`, or the kind of
    /// a callout: `block`, `job`, `source`, `timer`, `descriptor`, `port`, or an observer's activity again with `line`.
    public let phase: String
    /// How many runs were on the stack.
    public let nesting: Int
    /// Where the item that was called was made, nil for the activity itself.
    public let line: Int?
    /// When, on the loop's clock.
    public let time: RunLoop.Instant

    /// The phase, `@` and the nesting if it is above 1, and `:` and the line if there is one.
    public var description: String {
      phase + (nesting > 1 ? "@\(nesting)" : "") + (line.map { ":\($0)" } ?? "")
    }
  }

  /// The activities and kinds in order, without places and times.
  public var phases: [String] { entries.map(\.phase) }

  /// Forgets what was recorded.
  public func clear() { entries.removeAll() }
}

extension PassTrace: PassTracer {
  package func entered(_ phase: Phase, nesting: Int, site: CallSite?) {
    entries.append(
      Entry(
        phase: "\(phase)", nesting: nesting, line: site?.line, time: RunLoop.Instant(nanoseconds: clock.now())
      ))
  }
}
