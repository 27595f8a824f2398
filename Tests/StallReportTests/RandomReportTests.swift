import Foundation
import MainspringTesting
import Testing

@testable import StallReport

@Suite struct `Random reports` {
  @Test(arguments: 1...200)
  func `any stacks give a valid encoding, a text and a culprit with its share`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let report = Report.random(using: &random)
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
}
