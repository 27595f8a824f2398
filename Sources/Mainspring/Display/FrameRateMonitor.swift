import LinuxKernel

extension RunLoop {
  /// Counts frames: how many there were a second of late, and how many were missed. What an overlay shows.
  ///
  /// ```swift
  /// let monitor = RunLoop.FrameRateMonitor()
  /// let link = RunLoop.DisplayLink { link, tick in
  ///   monitor.note(tick)
  ///   // … draw
  /// }
  /// RunLoop.current.add(link, to: .common)
  /// ```
  ///
  /// Any thread.
  public final class FrameRateMonitor: Sendable {
    /// How far back it looks.
    public let window: Duration
    private let state = Locked(State())

    private struct State {
      /// Of the window, in order, at most `Limit.ticksMonitored` of them; what lies before `first` is done with.
      var ticks: ContiguousArray<DisplayTick> = []
      var first = 0
      var missed: UInt64 = 0
      var allTicks: UInt64 = 0
      var allMissed: UInt64 = 0
    }

    /// What a monitor says.
    public struct Reading: Hashable, Sendable {
      /// Frames that the link was called for, a second; 0 before there were two.
      public let framesPerSecond: Double
      /// Frames of the window that were missed.
      public let missedFrames: UInt64
      /// The share of frames of the window that were missed, from 0 to 1.
      public let missedShare: Double
      /// Frames that the link was called for since the beginning.
      public let totalFrames: UInt64
      /// Frames that were missed since the beginning.
      public let totalMissedFrames: UInt64
    }

    /// A monitor that has seen no tick yet.
    ///
    /// - Parameter window: how far back it looks.
    public init(window: Duration = .seconds(1)) {
      require(window > .zero, "nothing can be counted in a window of \(window)")
      self.window = window
    }

    /// Counts a tick.
    ///
    /// - Complexity: amortised O(1).
    public func note(_ tick: DisplayTick) {
      let edge = tick.timestamp.advanced(by: .zero - window)
      state.withLock { state in
        state.ticks.append(tick)
        state.missed += tick.missedFrames
        state.allTicks += 1
        state.allMissed += tick.missedFrames
        while state.ticks.count - state.first > Limit.ticksMonitored
          || state.ticks[state.first].timestamp < edge
        {
          state.missed -= state.ticks[state.first].missedFrames
          state.first += 1
        }
        if state.first > state.ticks.count / 2 {
          state.ticks.removeFirst(state.first)
          state.first = 0
        }
      }
    }

    /// What there was up to the last tick.
    public var reading: Reading {
      state.withLock { state in
        let count = state.ticks.count - state.first
        let shown = UInt64(count)
        let length =
          count < 2 ? .zero : state.ticks[state.first].timestamp.duration(to: state.ticks.last!.timestamp)
        return Reading(
          framesPerSecond: length > .zero ? Double(count - 1) / (length / .seconds(1)) : 0,
          missedFrames: state.missed,
          missedShare: shown + state.missed == 0 ? 0 : Double(state.missed) / Double(shown + state.missed),
          totalFrames: state.allTicks, totalMissedFrames: state.allMissed)
      }
    }
  }
}
