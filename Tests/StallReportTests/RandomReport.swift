import MainspringTesting

@testable import StallReport

extension Report {
  private static let kinds: [Frame.Kind?] = [
    nil, nil, nil, .loop, .phase(.timer), .libc, .runtime, .threadBase, .signal, .monitor, .gap(3),
  ]
  private static let pieces = [
    "f", "g", "(", ")", "<", ">", " -> ", " : ", " in ", "closure #1", ".", "$s", "TY0_", "generic ", "> of ",
    "é",
    "\u{0}", "\"", ".cold", "@", "static ", "7", "_", "partial function for ", ", ", "[", "]",
  ]

  /// A report with any stacks, and nothing else that is not indispensable.
  static func random(using random: inout SeededRandom) -> Report {
    var report = Report.bare()
    let pool = (0..<12).map { _ in frame(using: &random) }
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let depth = Int.random(in: 0...30, using: &random)
      let stack = (0..<depth).map { _ in pool[.random(in: 0..<12, using: &random)] }
      let weight = Duration.microseconds(Int.random(in: -1...500_000, using: &random))
      report.samples.append(
        .init(time: .zero, stack: report.stacks.index(ofStack: stack), weight: weight, state: "R"))
    }
    report.computeFingerprint()
    return report
  }

  private static func frame(using random: inout SeededRandom) -> Frame {
    let length = Int.random(in: 0...8, using: &random)
    let name = (0..<length).map { _ in pieces[.random(in: pieces.indices, using: &random)] }.joined()
    return Frame(
      image: Bool.random(using: &random) ? 0 : nil, offset: .random(in: 0...99, using: &random),
      symbol: Bool.random(using: &random) ? SwiftSymbol.simplified(name, module: "f") : nil,
      isInApp: .random(using: &random), kind: kinds[.random(in: kinds.indices, using: &random)])
  }
}
