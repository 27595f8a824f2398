extension Report {
  /// The function that a stall is blamed on.
  public struct Culprit: Sendable, Equatable {
    /// The name of a culprit where there is none of the program's code.
    public static let noAppCode = "no-app-code"

    /// The index of a frame of the function in ``StackTable/frames``; `nil` if there is no culprit.
    public var frame: Int?
    /// The function's name, without what differs from build to build.
    public var name: String
    /// The share of the samples' time at or below it, from 0 to 1.
    public var share: Double
    /// The names of the program's own functions from the callout down to the culprit.
    public var chain: [String]
  }

  /// The function that the samples blame.
  ///
  /// From the callout down one goes as long as one callee has at least 60 % of all time. The culprit is the
  /// deepest of the program's own functions on this way; else the deepest that is not of a runtime.
  /// - Complexity: O(frames of all samples).
  public var culprit: Culprit { CulpritSearch(samples: samples, table: stacks).culprit }
}

/// The dominator walk over the tree of a stall's stacks.
struct CulpritSearch {
  let tree: PrefixTree
  private let table: Report.StackTable
  /// The culprit's node in the tree.
  private(set) var node: Int?
  private let path: [Int]

  init(samples: [Report.Sample], table: Report.StackTable) {
    self.table = table
    tree = PrefixTree(samples: samples, table: table)
    path = tree.dominantPath()
    node =
      lastOnPath { $0.isAppCode && $0.symbol != nil } ?? lastOnPath { $0.isAppCode }
      ?? lastOnPath { $0.kind == nil }
  }

  var culprit: Report.Culprit {
    guard let node, let frame = tree.nodes[node].frame else {
      return Report.Culprit(frame: nil, name: Report.Culprit.noAppCode, share: 0, chain: [])
    }
    let share = tree.root.weight > .zero ? tree.nodes[node].weight / tree.root.weight : 0
    return Report.Culprit(frame: frame, name: name(ofFrame: frame), share: share, chain: chain(to: node))
  }

  private func lastOnPath(where matches: (Report.Frame) -> Bool) -> Int? {
    path.last { node in
      tree.nodes[node].frame.map { matches(table.frames[$0]) } ?? false
    }
  }

  private func chain(to node: Int) -> [String] {
    let above = path.prefix { $0 != node } + [node]
    return above.compactMap { node in
      tree.nodes[node].frame.flatMap { table.frames[$0].isAppCode ? tree.nodes[node].key : nil }
    }
  }

  /// The names on the way from the callout down to the culprit, with it; empty if there is none.
  var keys: [String] {
    node.map { node in (path.prefix { $0 != node } + [node]).map { tree.nodes[$0].key } } ?? []
  }

  /// A culprit without a symbol is named by its place: here there is no other name to go by.
  private func name(ofFrame index: Int) -> String {
    let frame = table.frames[index]
    let name = table.groupingName(ofFrame: index)
    guard frame.symbol == nil, let offset = frame.offset else { return name }
    return name + "+" + Hexadecimal.address(offset)
  }
}
