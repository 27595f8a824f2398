/// What is known of one thread of a report as profilers see it: stacks, and how long each was seen.
struct ThreadProfile {
  /// A stretch of time in which the thread is taken to have had one stack.
  struct Stretch {
    /// The indices of the frames, root first; empty if no stack could be had.
    var frames: [Int]
    /// From the stall's start.
    var start: Duration
    var length: Duration
    /// What it was seen by; nil if there was no sample.
    var sample: Report.Sample?

    var end: Duration { start + length }
  }

  var name: Report.ThreadName
  /// Whether it is the thread that stalled. Of the others there is one look, which stands for no time.
  var isStalled: Bool
  var stretches: [Stretch]
  /// The thread in the report's table.
  var thread: Report.Thread?

  /// The time of all stretches.
  var length: Duration { stretches.last?.end ?? .zero }
}

extension Report {
  /// The stalled thread, then the others that have a stack or wait for somebody.
  var profiles: [ThreadProfile] {
    let others = threads.filter { !$0.isStalled && ($0.stack != nil || $0.waitsOn != nil) }
    return [stalledProfile]
      + others.map { thread in
        let look = ThreadProfile.Stretch(
          frames: rootFirst(thread.stack), start: .zero, length: .zero, sample: nil)
        return ThreadProfile(
          name: thread.name, isStalled: false, stretches: look.frames.isEmpty ? [] : [look], thread: thread)
      }
  }

  /// The samples of the stalled thread in the order they were taken, one behind the other.
  var stalledProfile: ThreadProfile {
    let stalled = threads.first(where: \.isStalled)
    var profile = ThreadProfile(
      name: stalled?.name ?? loop.thread, isStalled: true, stretches: [], thread: stalled)
    guard !samples.isEmpty else {
      // The time is known all the same, and perhaps one stack.
      profile.stretches = [
        .init(frames: rootFirst(stalled?.stack), start: .zero, length: time.duration.believable, sample: nil)
      ]
      return profile
    }
    // Without weights each sample counts alike.
    let areWeighted = samples.contains { $0.weight > .zero }
    let even = time.duration.believable / samples.count
    for sample in samples {
      let length = areWeighted ? sample.weight.believable : even
      profile.stretches.append(
        .init(frames: rootFirst(sample.stack), start: profile.length, length: length, sample: sample))
    }
    return profile
  }

  /// The frames of a stack, root first, without the monitor's own.
  private func rootFirst(_ stack: Int?) -> [Int] {
    guard let stack, stacks.stacks.indices.contains(stack) else { return [] }
    return StackPath.withoutMonitor(stacks.stacks[stack], stacks).reversed()
  }
}

extension Duration {
  /// A year, beyond which a span is somebody's mistake, and sums could overflow.
  private static let longest = Duration.seconds(31_557_600)

  /// The span, if it can be one of a stall's: not negative and at most a year.
  var believable: Duration { max(.zero, min(self, Self.longest)) }

  /// The same for a span that may go back.
  var believableEitherWay: Duration { max(.zero - Self.longest, min(self, Self.longest)) }

  /// Whole nanoseconds, rounded; those that do not fit are the nearest that does.
  var nanosecondsClamped: Int64 { Int64(clamping: rounded(toAttoseconds: 1_000_000_000)) }

  /// Whole milliseconds, rounded.
  var millisecondsClamped: Int64 { Int64(clamping: rounded(toAttoseconds: 1_000_000_000_000_000)) }
}
