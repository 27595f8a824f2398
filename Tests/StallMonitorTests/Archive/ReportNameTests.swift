import StallReport
import Testing

@testable import StallMonitor

@Suite struct ReportNameTests {
  @Test func `a name says when, which report, which issue, and how far it has come`() throws {
    let name = try #require(ReportName("20261130T014442.123Z-0f6d1c3e-5b0a7c11.sent.json.gz"))
    #expect(name.stem == "20261130T014442.123Z-0f6d1c3e")
    #expect(name.idPrefix == "0f6d1c3e")
    #expect(name.issue == "5b0a7c11")
    #expect(name.form == .sent)
    #expect(name.day == "2026-11-30")
    #expect(name.named(.text) == "20261130T014442.123Z-0f6d1c3e-5b0a7c11.txt")
  }

  @Test(arguments: ReportName.Form.allCases)
  func `a report's name is read as it was made`(form: ReportName.Form) throws {
    let made = ReportName(.sample(), form)
    #expect(ReportName(made.named(form)) == made)
  }

  @Test(arguments: [
    "", ".json", "notes.txt", "20261130T014442.123Z-0f6d1c3e.json", "20261130T014442.123Z-0f6d1c3e-5b0a7c11",
    "20261130T014442.123Z-0f6d1c3e-5b0a7c11.json.gz.bak", "20261130T014442.123Z-0F6D1C3E-5b0a7c11.json",
    "20261130T014442.123Z-0f6d1c3e-5b0a7c11\n.json", "20261130T014442.123Z-0f6d1c3e-5b0a7c1\u{7f}.json",
    ".20261130T014442.123Z-0f6d1c3e-5b0a7c11.json", "2026113０T014442.123Z-0f6d1c3e-5b0a7c11.json",
    "20261130T014442.123Z-0f6d1c3e-5b0a7c11.SENT.json.gz", "20261130T014442.123Z-0f6d1c3e-5b0a7c11..json",
  ])
  func `other names are nobody's business`(name: String) {
    #expect(ReportName(name) == nil)
  }

  @Test func `an unfinished file says what it is to be, and whose it is`() throws {
    let name = PartName.of("20261130T014442.123Z-0f6d1c3e-5b0a7c11.json", writer: "d3b0c6a2")
    let part = try #require(PartName.parse(name))
    #expect(part.writer == "d3b0c6a2")
    #expect(part.report.form == .ongoing)
    for other in [".x.d3b0c6a2.part", ".part", "notes.part", name + "x", String(name.dropFirst())] {
      #expect(PartName.parse(other) == nil)
    }
  }
}
