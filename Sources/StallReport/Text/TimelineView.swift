/// The stacks of a stall in the order in which they were taken: each frame once for each run of neighbouring samples
/// that have it, with the numbers of these samples, their time, and how their stacks were had.
struct TimelineView {
  /// A frame, or what stands in the place of one, for a run of samples.
  private struct Line {
    var depth: Int
    var key: String
    var location: String
    var isCulprit: Bool
    var samples: ClosedRange<Int>
    /// The numbers of those samples that end here.
    var leafOf: [Int] = []
  }

  /// More lines than this nobody reads; the deepest calls are left out first.
  private static let mostLines = 160
  /// Deeper levels than this are not indented further.
  private static let deepestIndent = 16

  private let report: Report
  private let style: Report.Style
  /// The names on the way down to the culprit.
  private let culpritKeys: [String]
  /// The names of the table's frames.
  private let names: [String]
  /// Where the stretches of samples begin, and where the last one ends.
  private let ends: [Duration]
  private var lines: [Line] = []
  /// The lines that a next sample may go on with, root first.
  private var open: [Int] = []

  init(_ report: Report, style: Report.Style) {
    self.report = report
    self.style = style
    culpritKeys = CulpritSearch(samples: report.samples, table: report.stacks).keys.map(\.printable)
    names = report.stacks.groupingNames
    ends = report.samples.reduce(into: [.zero]) { $0.append($0.last! + max(.zero, $1.weight)) }
    for index in report.samples.indices { add(sample: index) }
  }

  /// The lines, their columns aligned; none if there is no stack.
  func text() -> [String] {
    guard report.samples.contains(where: { stack(of: $0) != nil }) else { return [] }
    let depth = deepestShown
    let shown = shown(to: depth)
    let numbers = shown.map { $0.samples.text }
    let states = shown.map(states)
    // On a narrow screen the names need the room more than how the stacks were had and which lines they stand at.
    let isNarrow = style.width < 80
    let methods = isNarrow ? [] : shown.map(methods)
    let locations = isNarrow ? [] : shown.map { $0.location.elided(to: style.width / 4) }
    let heading = "calls, from the loop down"
    let stateWidth = max(5, states.widest) + 1
    let methodWidth = isNarrow ? 0 : max(3, methods.widest) + 2
    let numberWidth = max(7, numbers.widest)
    let others = 22 + stateWidth + methodWidth + 2 + numberWidth + 2 + locations.widest
    let nameWidth = max(
      12, min(style.width - others, max(heading.count, shown.map { indented($0).count }.max() ?? 0)))
    let head =
      "      from        to  " + "state".aligned(left: stateWidth)
      + (isNarrow ? "" : "how".aligned(left: methodWidth))
      + (heading.count > nameWidth ? "calls" : heading).aligned(left: nameWidth + 2) + "samples"
    let rows = shown.indices.map { index in
      let (line, span) = (shown[index], span(of: shown[index].samples))
      let name = indented(line).elided(to: nameWidth).aligned(left: nameWidth)
      let looks =
        states[index].aligned(left: stateWidth) + (isNarrow ? "" : methods[index].aligned(left: methodWidth))
      let times = span.from.spanText.aligned(right: 10) + span.to.spanText.aligned(right: 10)
      let painted = line.isCulprit ? style.paint(name, .culprit) : name
      let place = isNarrow ? "" : style.paint(locations[index], .location)
      return "\(times)  \(looks)\(painted)  \(numbers[index].aligned(left: numberWidth))  \(place)"
        .withoutTrailingSpaces
    }
    let deeper = lines.count - shown.count
    let rest = deeper == 0 ? [] : [style.paint("  \(deeper) lines of deeper calls left out", .label)]
    return [style.paint(head, .label)] + rows + rest
  }

  // MARK: lines

  private func stack(of sample: Report.Sample) -> [Int]? {
    guard let index = sample.stack, report.stacks.stacks.indices.contains(index) else { return nil }
    return report.stacks.stacks[index]
  }

  private mutating func add(sample number: Int) {
    var steps: [(key: String, location: String)] = [(report.phase.name.callout.printable, "")]
    if let stack = stack(of: report.samples[number]) {
      steps += StackPath(stack: stack, in: report.stacks, names: names).steps.map { step in
        (step.key.printable, report.stacks.frames[step.frame].location?.description.printable ?? "")
      }
    } else {
      steps.append(("(no stack)", ""))
    }
    let shared = zip(open, steps).prefix { lines[$0].key == $1.key }.count
    open.removeSubrange(shared...)
    for line in open { lines[line].samples = lines[line].samples.lowerBound...number }
    for (depth, step) in steps.enumerated().dropFirst(shared) {
      open.append(lines.count)
      let isCulprit =
        depth > 0 && depth == culpritKeys.count && steps[1...depth].map(\.key) == culpritKeys
      lines.append(
        Line(
          depth: depth, key: step.key, location: step.location, isCulprit: isCulprit,
          samples: number...number))
    }
    lines[open[open.count - 1]].leafOf.append(number)
  }

  /// The greatest depth down to which all lines can be shown.
  private var deepestShown: Int {
    var counts: [Int: Int] = [:]
    for line in lines { counts[line.depth, default: 0] += 1 }
    var (depth, count) = (0, counts[0] ?? 0)
    while let next = counts[depth + 1], count + next <= Self.mostLines {
      (depth, count) = (depth + 1, count + next)
    }
    return depth
  }

  /// The lines down to `depth`. What ends deeper ends there.
  private func shown(to depth: Int) -> [Line] {
    var shown: [Line] = []
    for line in lines {
      if line.depth <= depth {
        shown.append(line)
      } else if let last = shown.indices.last {
        shown[last].leafOf += line.leafOf
      }
    }
    return shown
  }

  private func indented(_ line: Line) -> String {
    String(repeating: " ", count: 2 * min(line.depth, Self.deepestIndent)) + line.key
  }

  // MARK: columns

  /// Each sample stands for a stretch of the time that counts; they follow one another.
  private func span(of samples: ClosedRange<Int>) -> (from: Duration, to: Duration) {
    (ends[samples.lowerBound], ends[samples.upperBound + 1])
  }

  private func states(_ line: Line) -> String {
    var states = ""
    for number in line.leafOf {
      if let state = report.samples[number].state, !states.contains(state) { states.append(state) }
    }
    return states.printable
  }

  private func methods(_ line: Line) -> String {
    var methods: [String] = []
    for number in line.leafOf {
      let method = report.samples[number].method.rawValue
      if !methods.contains(method) { methods.append(method) }
    }
    return methods.joined(separator: ", ")
  }
}

extension ClosedRange<Int> {
  /// Counted from one: `3` or `3-7`.
  fileprivate var text: String { count == 1 ? "\(lowerBound + 1)" : "\(lowerBound + 1)-\(upperBound + 1)" }
}

extension [String] {
  fileprivate var widest: Int { map(\.count).max() ?? 0 }
}
