import Foundation
import MainspringTesting
import Testing

@testable import StallReport

@Suite struct `Random reports` {
  private static let kinds: [Report.Frame.Kind?] = [
    nil, nil, nil, .loop, .phase(.timer), .libc, .runtime, .threadBase, .signal, .monitor, .gap(3),
  ]
  private static let pieces = [
    "f", "g", "(", ")", "<", ">", " -> ", " : ", " in ", "closure #1", ".", "$s", "TY0_", "generic ", "> of ",
    "é",
    "\u{0}", "\"", ".cold", "@", "static ", "7", "_", "partial function for ", ", ", "[", "]",
  ]

  @Test(arguments: 1...200)
  func `any stacks give a valid encoding, a text and a culprit with its share`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let report = Self.report(using: &random)
    let culprit = report.culprit
    if let frame = culprit.frame {
      #expect(report.stacks.frames.indices.contains(frame))
      #expect(culprit.share >= 0.6, "seed \(seed)")
      #expect(culprit.share <= 1)
    } else {
      #expect(culprit.name == Report.Culprit.noAppCode)
    }
    let json = try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any]
    #expect((json?["frames"] as? [Any])?.count == report.stacks.frames.count)
    let lines = report.text().split(separator: "\n")
    #expect(lines.count < 80)
    #expect(report.text(view: .timeline).split(separator: "\n").count < 180)
    #expect(report.text(view: .apple).contains("Thread 0 (stalled):"))
    #expect(report.summary.split(whereSeparator: \.isNewline).count == 1)
  }

  private static func report(using random: inout SeededRandom) -> Report {
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

  private static func frame(using random: inout SeededRandom) -> Report.Frame {
    let length = Int.random(in: 0...8, using: &random)
    let name = (0..<length).map { _ in pieces[.random(in: pieces.indices, using: &random)] }.joined()
    return Report.Frame(
      image: Bool.random(using: &random) ? 0 : nil, offset: .random(in: 0...99, using: &random),
      symbol: Bool.random(using: &random) ? SwiftSymbol.simplified(name, module: "f") : nil,
      isInApp: .random(using: &random), kind: kinds[.random(in: kinds.indices, using: &random)])
  }
}
