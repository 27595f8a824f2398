import MainspringTesting
import Testing

@testable import StallReport

/// Reports that something has happened to on their way.
@Suite struct `Mutated reports` {
  private static func mutated(_ text: [UInt8], using random: inout SeededRandom) -> [UInt8] {
    var bytes = text
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let count = min(Int.random(in: 1...12, using: &random), bytes.count - place)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      // The likeliest to leave it JSON.
      case 1, 2: bytes[place] = "0123456789-eRf\"{}[],:".utf8.randomElement(using: &random)!
      case 3: bytes.swapAt(place, .random(in: 0..<bytes.count, using: &random))
      case 4 where bytes.count > 40: bytes.removeSubrange(place..<place + count)
      case 4: break
      default: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
      }
    }
    return bytes
  }

  @Test(arguments: 1...40)
  func `they are refused or can be shown, and do not trap`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let texts = [Report.full(), .deadlocked(), .starved(), .random(seed: seed)].map { Array($0.json().utf8) }
    for round in 0..<200 {
      let bytes = Self.mutated(texts[round % texts.count], using: &random)
      do throws(Report.DecodingError) {
        let report = try Report(json: bytes)
        for view in Report.View.allCases { #expect(!report.text(view: view).isEmpty, "seed \(seed)") }
        #expect(!report.summary.isEmpty)
        let text = report.json()
        let again = try? Report(json: Array(text.utf8))
        #expect(again?.json() == text, "seed \(seed)")
      } catch {
        #expect(!error.description.contains("\n"), "seed \(seed)")
      }
    }
  }

  @Test func `a report that is cut off anywhere is refused`() throws {
    let bytes = Array(Report.full().json().utf8)
    for count in bytes.indices {
      #expect(throws: Report.DecodingError.self) { try Report(json: Array(bytes[..<count])) }
    }
  }
}
