/// The tables of one thread, each entry once. They are written column by column.
struct FirefoxTables {
  struct Function: Hashable {
    var name: Int
    var resource: Int
    var file: Int?
  }

  struct Frame: Hashable {
    /// In the report; -1: the one that stands for no stack.
    var index: Int
    var inlineDepth: Int
  }

  struct Stack: Hashable {
    var prefix: Int?
    var frame: Int
  }

  struct FrameRow {
    var address: Int
    var inlineDepth: Int
    var category: FirefoxCategory
    var function: Int
    var line: Int?
  }

  private let report: Report
  private let culprit: String?
  private(set) var strings = FirstSeen<String>()
  private(set) var functions = FirstSeen<Function>()
  private(set) var frames = FirstSeen<Frame>()
  private(set) var frameRows: [FrameRow] = []
  private(set) var stacks = FirstSeen<Stack>()
  /// Numbers of libraries, and their names' numbers.
  private(set) var resources = FirstSeen<Int>()
  private(set) var resourceNames: [Int] = []

  init(_ report: Report) {
    self.report = report
    culprit = report.culpritName
  }

  mutating func index(of string: String) -> Int { strings.index(of: string) }

  /// The stack of these frames, root first.
  mutating func stack(ofFrames indices: [Int], libraries: inout FirefoxLibraries) -> Int {
    var prefix: Int?
    if indices.isEmpty { prefix = stacks.index(of: Stack(prefix: nil, frame: frameOfNoStack())) }
    for piece in report.instructions(ofFrames: indices) {
      for (depth, frame) in piece.enumerated() {
        let row = self.frame(Frame(index: frame, inlineDepth: depth), libraries: &libraries)
        prefix = stacks.index(of: Stack(prefix: prefix, frame: row))
      }
    }
    return prefix ?? 0
  }

  private mutating func frameOfNoStack() -> Int {
    let function = Function(name: index(of: Report.noStack), resource: -1, file: nil)
    let row = FrameRow(
      address: -1, inlineDepth: 0, category: .other, function: functions.index(of: function), line: nil)
    return add(row, for: Frame(index: -1, inlineDepth: 0))
  }

  private mutating func frame(_ key: Frame, libraries: inout FirefoxLibraries) -> Int {
    if let known = frames.known(key) { return known }
    let frame = report.stacks.frames[key.index]
    let name = report.exportedName(ofFrame: key.index)
    var resource = -1
    var address = -1
    if let image = report.image(ofFrame: key.index) {
      resource = self.resource(of: libraries.index(of: image), image)
      // Beyond this a number of JavaScript is not exact.
      address = frame.offset.flatMap { $0 < 1 << 53 ? Int($0) : nil } ?? -1
    }
    let function = Function(
      name: index(of: name), resource: resource, file: frame.location.map { index(of: $0.file.exported) })
    let row = FrameRow(
      address: address, inlineDepth: key.inlineDepth,
      category: FirefoxCategory(frame, isCulprit: name == culprit),
      function: functions.index(of: function), line: frame.location?.line)
    return add(row, for: key)
  }

  private mutating func add(_ row: FrameRow, for key: Frame) -> Int {
    let index = frames.index(of: key)
    if index == frameRows.count { frameRows.append(row) }
    return index
  }

  private mutating func resource(of library: Int, _ image: Report.Image) -> Int {
    let resource = resources.index(of: library)
    if resource == resourceNames.count {
      let name = image.name.split(separator: "/").last.map { String($0).exported } ?? "[unknown]"
      resourceNames.append(index(of: name))
    }
    return resource
  }
}
