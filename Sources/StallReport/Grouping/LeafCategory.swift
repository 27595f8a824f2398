extension Report {
  /// What most of the samples' time was spent waiting for, or `nil` if the stacks do not tell.
  var leafCategory: WaitCategory? {
    var weights: [String: Duration] = [:]
    for sample in samples {
      guard let stack = sample.stack, stacks.stacks.indices.contains(stack) else { continue }
      guard let category = category(ofStack: stacks.stacks[stack]) else { continue }
      weights[category.rawValue, default: .zero] += sample.weight
    }
    let heaviest = weights.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return heaviest.flatMap { WaitCategory(rawValue: $0.key) }
  }

  /// The category of the outermost waiting function below the program's own code.
  private func category(ofStack stack: [Int]) -> WaitCategory? {
    let leaves = stack.prefix { !stacks.frames[$0].isAppCode }
    return leaves.reversed().lazy.compactMap { frame in
      self.stacks.frames[frame].symbol.flatMap { WaitCategory(function: SymbolName.normalized($0)) }
    }.first
  }
}
