/// The stacks of a stall's samples laid over each other from the callout down, with the time of each.
struct PrefixTree {
  struct Node {
    let key: String
    /// The time of all samples at or below.
    var weight = Duration.zero
    var children: [Int] = []
    /// The time of each frame that was laid here: they differ in lines and addresses.
    var frames: [Int: Duration] = [:]

    /// The frame that stands for the node: the heaviest, of equals the first in the table.
    var frame: Int? {
      frames.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
  }

  /// The root, which stands for the callout, comes first.
  private(set) var nodes = [Node(key: "")]

  /// The tree of those samples that have a stack.
  ///
  /// - Complexity: O(*s* · *d* · *b*): samples, depth, branches of a node.
  init(samples: [Report.Sample], table: Report.StackTable) {
    let withStack = samples.filter { sample in sample.stack.map(table.stacks.indices.contains) == true }
    // Without weights each sample counts alike.
    let areWeighted = withStack.contains { $0.weight > .zero }
    let names = withStack.isEmpty ? [] : table.groupingNames
    for sample in withStack {
      let path = StackPath(stack: table.stacks[sample.stack ?? 0], in: table, names: names)
      add(path, weight: areWeighted ? max(sample.weight, .zero) : .milliseconds(1))
    }
  }

  var root: Node { nodes[0] }

  private mutating func add(_ path: StackPath, weight: Duration) {
    var current = 0
    nodes[current].weight += weight
    for step in path.steps {
      current = child(of: current, key: step.key)
      nodes[current].weight += weight
      nodes[current].frames[step.frame, default: .zero] += weight
    }
  }

  private mutating func child(of parent: Int, key: String) -> Int {
    if let known = nodes[parent].children.first(where: { nodes[$0].key == key }) { return known }
    nodes.append(Node(key: key))
    nodes[parent].children.append(nodes.count - 1)
    return nodes.count - 1
  }

  /// The share of all time, 3/5, that a node must have to be on the dominant path.
  ///
  /// At more than a half there is one such child at most. Tried on synthetic stalls, from 0.5 to 0.66 found
  /// the culprit best; at 0.8 callers were named in its place.
  private static let dominance = (numerator: 3, denominator: 5)

  /// The nodes on the way down, as long as one child has the dominant share; without the root.
  func dominantPath() -> [Int] {
    var path: [Int] = []
    var current = root
    while let next = current.children.first(where: { isDominant(nodes[$0]) }) {
      path.append(next)
      current = nodes[next]
    }
    return path
  }

  private func isDominant(_ node: Node) -> Bool {
    node.weight * Self.dominance.denominator >= root.weight * Self.dominance.numerator
  }
}
