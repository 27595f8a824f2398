import Testing

@testable import Thumbs

@Suite struct `Progress bar` {
  @Test func `on a terminal one line is drawn over`() {
    var bar = ProgressBar(total: 4, look: .bar(columns: 60, isColored: false))
    #expect(
      bar.text(done: 1, label: "a.jpg", at: .zero)
        == "\r" + String(repeating: "█", count: 6) + String(repeating: "░", count: 18)
        + "  1/4  a.jpg\u{1B}[K")
    #expect(bar.erasure == "\r\u{1B}[K")
  }

  @Test func `it is drawn at most twenty times a second, but always at the end`() {
    var bar = ProgressBar(total: 1000, look: .bar(columns: 80, isColored: false))
    let drawn = (0...1000).filter { done in
      !bar.text(done: done, label: "", at: .milliseconds(done)).isEmpty
    }
    #expect(drawn == Array(stride(from: 0, through: 1000, by: 50)))
    var quick = ProgressBar(total: 2, look: .bar(columns: 80, isColored: false))
    #expect(!quick.text(done: 1, label: "", at: .zero).isEmpty)
    #expect(!quick.text(done: 2, label: "", at: .zero).isEmpty)
    #expect(quick.text(done: 2, label: "", at: .zero).isEmpty)
  }

  @Test func `colours add nothing but escape sequences`() {
    var plain = ProgressBar(total: 3, look: .bar(columns: 80, isColored: false))
    var colored = ProgressBar(total: 3, look: .bar(columns: 80, isColored: true))
    let text = colored.text(done: 2, label: "x", at: .zero)
    #expect(text.contains("\u{1B}[32m"))
    #expect(text.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.text(done: 2, label: "x", at: .zero))
  }

  @Test func `a narrow terminal is never overrun`() {
    var bar = ProgressBar(total: 100, look: .bar(columns: 50, isColored: false))
    let text = bar.text(done: 7, label: String(repeating: "n", count: 200) + "!", at: .zero)
    #expect(text.dropFirst().prefix { $0 != "\u{1B}" }.count < 50)
    var narrower = ProgressBar(total: 100, look: .bar(columns: 20, isColored: false))
    #expect(narrower.text(done: 7, label: "a", at: .zero).dropFirst().prefix { $0 != "\u{1B}" }.count < 20)
    #expect(text.contains("n!"), "the end of a path tells more than its beginning")
  }

  @Test func `elsewhere there is a plain line an item`() {
    var bar = ProgressBar(total: 12, look: .lines)
    let texts = [(0, "a"), (1, "a"), (1, "b"), (2, "b"), (12, "c")].map {
      bar.text(done: $0.0, label: $0.1, at: .zero)
    }
    #expect(texts == ["", " 1/12  a\n", "", " 2/12  b\n", "12/12  c\n"])
    #expect(bar.erasure == "")
  }

  @Test func `no items are no trouble`() {
    var bar = ProgressBar(total: 0, look: .bar(columns: 80, isColored: false))
    #expect(bar.text(done: 0, label: "", at: .zero).contains("0/0"))
  }
}
