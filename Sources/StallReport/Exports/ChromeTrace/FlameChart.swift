/// The stretches of a thread as calls on an axis of time: a call goes on as long as the same function is at the same depth
/// below the same callers.
struct FlameChart {
  struct Call {
    var name: String
    /// The frame with which it began.
    var frame: Int
    var start: Duration
    var end: Duration
  }

  /// Callers before what they call.
  private(set) var calls: [Call] = []

  /// - Complexity: O(frames of all stretches).
  init(_ profile: ThreadProfile, in report: Report) {
    let names = report.stacks.frames.indices.map { report.exportedName(ofFrame: $0) }
    var open: [Int] = []
    for stretch in profile.stretches {
      var depth = 0
      while depth < min(open.count, stretch.frames.count),
        calls[open[depth]].name == names[stretch.frames[depth]]
      {
        depth += 1
      }
      open.removeSubrange(depth...)
      for call in open { calls[call].end = stretch.end }
      for frame in stretch.frames[depth...] {
        calls.append(Call(name: names[frame], frame: frame, start: stretch.start, end: stretch.end))
        open.append(calls.count - 1)
      }
    }
  }
}
