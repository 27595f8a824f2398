import StallReport
import Testing

@Suite struct `Table of reports` {
  @Test func `columns are as wide as what is in them`() {
    var hostile = Report.bare()
    hostile.state = .unrecovered
    hostile.loop.name = "a\u{1B}[2J\nlonger than any loop's name should ever be"
    #expect(
      Report.table(of: [.full(), .starved(), hostile], style: .init(isColored: false, width: 200)) == """
        WHEN (UTC)             LENGTH  KIND        STATE        CLASS    LOOP                      TITLE
        2026-09-22T14:13:20Z  1712 ms  stall       recovered    busy     main                      MailStore.reindex() in timer callback
        2026-09-22T14:13:20Z  1712 ms  starvation  recovered    starved  main                      Host starved
        2026-09-22T14:13:20Z  1712 ms  stall       unrecovered  -        a\u{FFFD}[2J\u{FFFD}longe…ould ever be  No code of the program's in timer callback

        """)
  }

  @Test func `on a terminal a line ends where the screen does, colours aside`() {
    let text = Report.table(of: [.full(), .deadlocked()], style: .init(isColored: true, width: 80))
    let plain = text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(text.contains("\u{1B}[1;31mongoing  \u{1B}[0m"))
    #expect(Report.table(of: [], style: .plain) == "")
  }
}
