extension Report {
  /// The frames, root first, of the stack that shows the stall best: of those with the culprit the one that was seen
  /// longest; without a culprit the one of all.
  var representativeStack: [Int] {
    let culprit = culpritName
    let names = stacks.frames.indices.map { culprit != nil && exportedName(ofFrame: $0) == culprit }
    var lengths: [[Int]: Duration] = [:]
    for stretch in stalledProfile.stretches where !stretch.frames.isEmpty {
      lengths[stretch.frames, default: .zero] += stretch.length
    }
    func rank(_ stack: [Int]) -> (Int, Duration) {
      (stack.contains { names[$0] } ? 1 : 0, lengths[stack] ?? .zero)
    }
    // Of equals the first: a dictionary has no order.
    var best: [Int] = []
    for stretch in stalledProfile.stretches where !stretch.frames.isEmpty {
      if best.isEmpty || rank(stretch.frames) > rank(best) { best = stretch.frames }
    }
    return best
  }

  /// A stack as text, leaf first, one frame a line, each with what it takes to find it again without its name.
  func stackText(ofFrames frames: [Int]) -> String {
    let culprit = culpritName
    return frames.reversed().enumerated().map { number, index in
      let frame = stacks.frames[index]
      let name = exportedName(ofFrame: index)
      let place = frame.location.map { " at \($0.description.exported)" } ?? ""
      let offset = frame.offset.map { "+" + Hexadecimal.address($0) } ?? ""
      let image = stacks.imageName(of: frame).map { " in \($0.exported)\(offset)" } ?? ""
      let mark = name == culprit ? "  <- culprit" : ""
      return "#\(number) \(name)\(place)\(image)\(mark)\n"
    }.joined()
  }

  /// When the stall was over, or up to when it is known.
  var knownEnd: UnixTime {
    if let end = time.endUnix { return end }
    let (sum, overflow) = time.startUnix.nanoseconds.addingReportingOverflow(
      time.duration.believable.nanosecondsClamped)
    return overflow ? time.startUnix : UnixTime(nanoseconds: sum)
  }

  /// From this length on it is severe.
  static let severeLength = Duration.seconds(2)
}
