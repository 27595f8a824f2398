/// A stack made ready for comparing: root first, from the loop's callout down, recursion taken out, and without what
/// the language's runtime does between two functions of the program's.
struct StackPath {
  /// One step down: the name that groups it, and the frame it stands for.
  struct Step {
    var key: String
    var frame: Int
  }

  private(set) var steps: [Step] = []

  /// The path of the stack whose frames, leaf first, are `stack`.
  ///
  /// - Parameter names: the table's ``Report/StackTable/groupingNames``, for who has many stacks of it.
  /// - Complexity: O(*n*) in the number of frames.
  init(stack: [Int], in table: Report.StackTable, names: [String]? = nil) {
    let rootFirst = Self.withoutMonitor(stack, table).reversed().map { $0 }
    let lastOfApp = rootFirst.lastIndex { table.frames[$0].isAppCode } ?? -1
    for index in Self.start(of: rootFirst, table)..<rootFirst.count {
      let frame = rootFirst[index]
      if table.frames[frame].kind == .runtime, index < lastOfApp { continue }
      steps.append(Step(key: names?[frame] ?? table.groupingName(ofFrame: frame), frame: frame))
      collapseRecursion()
    }
  }

  /// Drops, on the leaf side, the signal's frame and everything that ran in its handler.
  static func withoutMonitor(_ stack: [Int], _ table: Report.StackTable) -> ArraySlice<Int> {
    let last = stack.lastIndex { [.signal, .monitor].contains(table.frames[$0].kind) }
    return last.map { stack[($0 + 1)...] } ?? stack[...]
  }

  /// The index behind the innermost callout frame; without one, behind the first frames of the loop's, with
  /// nothing but the runtime's between them; without these, behind the thread's base.
  private static func start(of rootFirst: [Int], _ table: Report.StackTable) -> Int {
    func kind(_ index: Int) -> Report.Frame.Kind? { table.frames[rootFirst[index]].kind }
    if let callout = rootFirst.indices.last(where: { kind($0)?.isPhase == true }) { return callout + 1 }
    if let first = rootFirst.indices.first(where: { kind($0) == .loop }) {
      // What wraps a callout for the main actor is the loop's, and calls through the runtime.
      let stretch = rootFirst.indices[first...].prefix { kind($0) == .loop || kind($0) == .runtime }
      let end = stretch.last { kind($0) == .loop }! + 1
      // Where the program's code calls the loop and not the other way round, the loop is no beginning.
      func isApp(_ index: Int) -> Bool { table.frames[rootFirst[index]].isAppCode }
      let isCalledOnly = !(end..<rootFirst.count).contains(where: isApp) && (0..<first).contains(where: isApp)
      if !isCalledOnly { return end }
    }
    return rootFirst.indices.first { ![.threadBase, .libc].contains(kind($0)) } ?? rootFirst.count
  }

  /// Functions that call each other in a cycle of at most this many are taken out.
  private static let longestCycle = 3

  private mutating func collapseRecursion() {
    for length in 1...Self.longestCycle where steps.count >= 2 * length {
      let newest = steps.suffix(length)
      let before = steps.dropLast(length).suffix(length)
      if zip(newest, before).allSatisfy({ $0.key == $1.key }) { return steps.removeLast(length) }
    }
  }
}

extension Report.Frame.Kind {
  /// Whether it is a frame of the loop's that calls a callout.
  var isPhase: Bool {
    if case .phase = self { true } else { false }
  }
}

extension Report.StackTable {
  /// The name that groups a frame with its like: without lines and addresses, which move with each build.
  ///
  /// A frame without a symbol has its image's name: where in the image it is differs from sample to sample.
  func groupingName(ofFrame index: Int) -> String {
    let frame = frames[index]
    if case .gap? = frame.kind { return "<gap>" }
    if let symbol = frame.symbol { return SymbolName.normalized(symbol) }
    return imageName(of: frame) ?? "<unknown>"
  }

  /// The names of all frames: each is in many stacks.
  var groupingNames: [String] { frames.indices.map { groupingName(ofFrame: $0) } }

  /// The last path component of the frame's image.
  func imageName(of frame: Report.Frame) -> String? {
    guard let image = frame.image, images.indices.contains(image) else { return nil }
    return images[image].name.split(separator: "/").last.map(String.init)
  }
}
