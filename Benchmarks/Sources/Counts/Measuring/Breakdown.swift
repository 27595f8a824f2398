/// Where an operation's instructions are, and who asks for memory.
struct Breakdown {
  private let times: Int
  private var instructions: [Substring: Int] = [:]
  private var callers: [Substring: [Substring: Int]] = [:]

  /// From the profiles of the operation done so many times, and three times as many.
  init(once: CallgrindProfile, thrice: CallgrindProfile, times: Int) {
    self.times = times
    instructions = thrice.instructions
    for (function, count) in once.instructions { instructions[function, default: 0] -= count }
    for (sign, profile) in [(1, thrice), (-1, once)] {
      for (call, count) in profile.calls {
        callers[call.callee, default: [:]][call.caller, default: 0] += sign * count
      }
    }
  }

  /// Both, as lines.
  func text(width: Int) -> String {
    let functions = Self.sorted(instructions.map { ($0.key, each($0.value)) }.filter { $0.1 >= 1 })
    let lines = functions.map { Self.line($0.1, 0, $0.0, width) }
    let asking = tree(of: Self.allocators, 0, width, [])
    return "INSTRUCTIONS  FUNCTION\n" + lines.joined()
      + (asking.isEmpty ? "" : "\n ALLOCATIONS  ASKED FOR BY\n" + asking.joined())
  }

  /// Who gives memory: the C library and, by means of it, Swift's runtime.
  private static let allocators: Set<Substring> = [
    "malloc", "calloc", "realloc", "memalign", "_mid_memalign.constprop.0", "posix_memalign",
    "swift_slowAlloc",
    "swift_allocObject",
  ]
  /// So many callers in a row are shown: enough to get out of the arrays of Swift's library.
  private static let depthMax = 5

  /// Who calls one of these functions, and below each who calls that.
  private func tree(
    of callees: Set<Substring>, _ depth: Int, _ width: Int, _ above: Set<Substring>
  ) -> [String] {
    guard depth < Self.depthMax else { return [] }
    var found: [Substring: Int] = [:]
    for callee in callees { found.merge(callers[callee] ?? [:]) { $0 + $1 } }
    let asking = found.filter { !callees.contains($0.key) && !above.contains($0.key) }
    return Self.sorted(asking.map { ($0.key, each($0.value)) }.filter { $0.1 >= 0.05 })
      .flatMap { caller, count in
        [Self.line(count, depth, caller, width)] + tree(of: [caller], depth + 1, width, above.union(callees))
      }
  }

  private func each(_ count: Int) -> Double { Double(count) / Double(2 * times) }

  private static func sorted(_ functions: [(Substring, Double)]) -> [(Substring, Double)] {
    functions.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  private static func line(_ count: Double, _ depth: Int, _ function: Substring, _ width: Int) -> String {
    let line =
      Figure.text(of: count).padded(to: 12, isNumber: true) + String(repeating: "  ", count: depth + 1)
      + FunctionName.written(function)
    return line.prefix(width) + "\n"
  }
}
