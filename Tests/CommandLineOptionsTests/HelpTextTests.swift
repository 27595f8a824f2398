import CommandLineOptions
import Testing

@Suite struct `Help text` {
  @Test func `terms and explanations stand in columns of at most eighty`() {
    let help = HelpText(
      usage: "Thumbs [OPTIONS]",
      summary:
        "Makes thumbnails of the pictures in a folder, with a progress bar that shows how far it is "
        + "and whether it stalls.",
      sections: [
        .init(options: [
          Option(
            name: "threshold", value: "DURATION",
            help: "What counts as a stall of the loop that makes thumbnails, 250ms by default"),
          Option(name: "a-really-very-long-name", value: "VALUE", help: "Explained below"),
          .help,
        ]),
        .init("Nothing", rows: []),
      ])
    #expect(
      help.text == """
        Usage: Thumbs [OPTIONS]

        Makes thumbnails of the pictures in a folder, with a progress bar that shows how
        far it is and whether it stalls.

        Options:
          --threshold=DURATION      What counts as a stall of the loop that makes
                                    thumbnails, 250ms by default
          --a-really-very-long-name=VALUE
                                    Explained below
          --help                    Show this help and leave

        """)
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= HelpText.width })
  }

  @Test func `a word longer than the line stands alone`() {
    let help = HelpText(usage: "x", summary: "a " + String(repeating: "b", count: 90) + " c", sections: [])
    #expect(help.text.hasSuffix("\na\n" + String(repeating: "b", count: 90) + "\nc\n"))
  }
}
