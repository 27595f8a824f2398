extension Report {
  /// The report for people: what happened, in which callout, who is to blame, and the stacks.
  ///
  /// Lines end with a line feed, the last one too. Times of day are UTC. Symbols and names keep to one line each and
  /// cannot move a terminal's cursor, whatever is in them.
  /// - Parameter view: what is shown of the stacks; ``View/apple`` has a head of its own in place of the sentences.
  /// - Complexity: O(frames of all samples and threads).
  public func text(view: View = .heavy, style: Style = .plain) -> String {
    let lines =
      switch view {
      case .heavy: account(style) + evidence(HeavyView(self, style: style).text())
      case .timeline: account(style) + evidence(TimelineView(self, style: style).text())
      case .apple: AppleLayout(self, style: style).text()
      }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The headline, the facts, and an empty line.
  private func account(_ style: Style) -> [String] {
    let labelWidth = 11
    let head = headline.wrapped(to: style.width).map { style.paint($0, .headline) }
    let facts = facts.flatMap { label, fact in
      fact.wrapped(to: style.width - labelWidth).enumerated().map { index, line in
        let label = (index == 0 ? "  " + label : "").aligned(left: labelWidth)
        return style.paint(label, .label) + line
      }
    }
    return head + facts + [""]
  }

  private func evidence(_ view: [String]) -> [String] {
    view.isEmpty ? ["  No stack could be taken."] : view
  }
}
