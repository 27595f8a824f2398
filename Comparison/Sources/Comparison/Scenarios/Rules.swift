/// The numbers of the rules that a scenario shows: ours, and the facts about CFRunLoop.
struct Rules: Sendable, Equatable {
  let mainspring: [Int]
  let coreFoundation: [Int]

  init(_ mainspring: Int..., cf coreFoundation: [Int] = []) {
    self.mainspring = mainspring
    self.coreFoundation = coreFoundation
  }

  /// As the rules are called: `M10`, `CF 76`. The space in it does not break.
  var names: [String] { mainspring.map { "M\($0)" } + coreFoundation.map { "CF\u{A0}\($0)" } }
}
