/// The stacks of a stall as a tree from the callout down, heaviest branch first, with the time of each.
struct HeavyView {
  /// A line of the tree.
  private struct Line {
    var weight: Duration
    var name: String
    var location: String
    var isCulprit = false
  }

  /// Branches with less than this share of the time are only counted.
  private static let leastPercent = 1
  /// More lines than this nobody reads; the heaviest come first.
  private static let mostLines = 60
  /// Deeper levels than this are not indented further.
  private static let deepestIndent = 16

  private let search: CulpritSearch
  private let table: Report.StackTable
  private let style: Report.Style
  private var lines: [Line] = []
  private var omitted = 0

  init(_ report: Report, style: Report.Style) {
    search = CulpritSearch(samples: report.samples, table: report.stacks)
    table = report.stacks
    self.style = style
    guard search.tree.root.weight > .zero else { return }
    lines.append(
      Line(weight: search.tree.root.weight, name: report.phase.name.callout.printable, location: ""))
    addChildren(of: search.tree.root, depth: 1)
  }

  /// The lines, their columns aligned; none if there is no stack.
  func text() -> [String] {
    guard !lines.isEmpty else { return [] }
    let gutter = 22
    let locationWidth = lines.map(\.location.count).max() ?? 0
    let room = max(16, style.width - gutter - locationWidth - 2)
    let nameWidth = min(room, lines.map(\.name.count).max() ?? 0)
    let header = style.paint("      time     %      calls, from the loop down", .label)
    let rows = lines.map { row($0, nameWidth: nameWidth) }
    let rest = omitted == 0 ? [] : [style.paint("\(omitted) lighter branches left out", .label)]
    return [header] + rows + rest.map { String(repeating: " ", count: gutter) + $0 }
  }

  private func row(_ line: Line, nameWidth: Int) -> String {
    let time = line.weight.spanText.aligned(right: 10)
    let share = String(line.weight.percent(of: search.tree.root.weight)).aligned(right: 6)
    let name = line.name.elided(to: nameWidth).aligned(left: line.location.isEmpty ? 0 : nameWidth)
    let painted = line.isCulprit ? style.paint(name, .culprit) : name
    let arrow = line.isCulprit ? style.paint("->", .culprit) : "  "
    return "\(time)\(share)  \(arrow)  \(painted)  \(style.paint(line.location, .location))"
      .withoutTrailingSpaces
  }

  private mutating func addChildren(of node: PrefixTree.Node, depth: Int) {
    let nodes = search.tree.nodes
    for child in node.children.sorted(by: { (nodes[$1].weight, $0) < (nodes[$0].weight, $1) }) {
      let share = nodes[child].weight.percent(of: search.tree.root.weight)
      if share < Self.leastPercent || lines.count >= Self.mostLines {
        omitted += 1
        continue
      }
      add(child, depth: depth)
      addChildren(of: nodes[child], depth: depth + 1)
    }
  }

  private mutating func add(_ index: Int, depth: Int) {
    let node = search.tree.nodes[index]
    let location = node.frame.flatMap { table.frames[$0].location }
    let indent = String(repeating: " ", count: 2 * min(depth, Self.deepestIndent))
    lines.append(
      Line(
        weight: node.weight, name: indent + node.key.printable,
        location: location?.description.printable.elided(to: style.width / 3) ?? "",
        isCulprit: index == search.node))
  }
}
