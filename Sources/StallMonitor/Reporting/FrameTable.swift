import StallReport
import Symbols

/// Puts stacks with their functions' names into a report's tables. One for each report.
struct FrameTable {
  let symbolicator: Symbolicator
  let facts: ProcessFacts
  private var imageOfModule: [Module: Int] = [:]

  init(symbolicator: Symbolicator, facts: ProcessFacts) {
    self.symbolicator = symbolicator
    self.facts = facts
  }

  /// The index of the sample's stack in the table.
  mutating func stack(of sample: StackSample, in table: inout Report.StackTable) -> Int {
    var frames: [Report.Frame] = []
    let named = symbolicator.symbolicate(sample.stack.frames, in: sample.modules)
    for (position, symbolicated) in named.enumerated() {
      let module = sample.modules.module(at: symbolicated.frame.lookupAddress)
      frames += functions(symbolicated.functions, module, &table)
      if position == sample.stack.omittedAfter, sample.stack.omittedCount > 0 {
        frames.append(Report.Frame(symbol: nil, kind: .gap(sample.stack.omittedCount)))
      }
    }
    return table.index(ofStack: frames)
  }

  /// The frames of one place: the inlined functions first, each knowing which it was inlined into.
  private mutating func functions(
    _ functions: [SymbolFrame], _ module: Module?, _ table: inout Report.StackTable
  ) -> [Report.Frame] {
    var frames: [Report.Frame] = []
    for function in functions.reversed() {
      var frame = frame(function, module, &table)
      if function.isInlined { frame.inlinedInto = frames.last.map { table.index(of: $0) } }
      frames.append(frame)
    }
    return frames.reversed()
  }

  private mutating func frame(
    _ function: SymbolFrame, _ module: Module?, _ table: inout Report.StackTable
  ) -> Report.Frame {
    guard let module else { return Report.Frame(symbol: function.name) }
    let image = index(of: module, function.buildID, &table)
    let location = function.path.map { Report.SourceLocation(file: $0, line: function.line) }
    var frame = Report.Frame(
      image: image, offset: function.imageOffset, mangled: function.linkageName,
      demangled: function.linkageName == nil ? nil : function.name, location: location, in: table.images)
    frame.symbolOffset = function.functionOffset
    return frame
  }

  private mutating func index(
    of module: Module, _ buildID: BuildID?, _ table: inout Report.StackTable
  ) -> Int {
    if let known = imageOfModule[module] { return known }
    table.images.append(
      Report.Image(
        name: module.path, buildID: buildID.map { "\($0)" }, base: module.base, end: module.text.upperBound,
        isInApp: facts.isInApp(module.path)))
    imageOfModule[module] = table.images.count - 1
    return table.images.count - 1
  }
}
