/// Folded stacks: a line each, frames from the root on with `;` between them, and the time in milliseconds behind a space.
///
/// In front of a stack's own frames stand the program, the loop and the issue, so that a graph of many reports falls into
/// its issues. Lines with the same frames are added up.
enum CollapsedExport {
  static func encode(_ reports: [Report]) -> [UInt8] {
    Array(lines(reports).map { $0 + "\n" }.joined().utf8)
  }

  /// The lines, in the order in which their stacks were first seen.
  static func lines(_ reports: [Report]) -> [String] {
    var lengths: [String: Duration] = [:]
    var order: [String] = []
    for report in reports {
      let labels = [report.app.name, "loop \(report.loop.name)", report.issueTitle].map(frame)
      let names = report.stacks.frames.indices.map { frame(report.exportedName(ofFrame: $0)) }
      for stretch in report.stalledProfile.stretches where stretch.length > .zero {
        let calls = stretch.frames.isEmpty ? [Report.noStack] : stretch.frames.map { names[$0] }
        let stack = (labels + calls).joined(separator: ";")
        // Some readers take such lines for comments.
        let line = stack.hasPrefix("#") ? "'" + stack : stack
        if lengths[line] == nil { order.append(line) }
        lengths[line, default: .zero] += stretch.length
      }
    }
    return rounded(order.map { ($0, lengths[$0] ?? .zero) })
  }

  /// Whole milliseconds, which every reader takes. What one line loses by rounding goes to the next, so that the sum is
  /// right; what is left with none is left out.
  private static func rounded(_ lines: [(String, Duration)]) -> [String] {
    var (exact, written) = (Duration.zero, Int64(0))
    return lines.compactMap { line, length in
      exact += length
      let milliseconds = exact.millisecondsClamped - written
      written += milliseconds
      return milliseconds > 0 ? "\(line) \(milliseconds)" : nil
    }
  }

  /// A name as a frame: `;` would end it.
  private static func frame(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.exported.unicodeScalars { text.append(scalar == ";" ? ":" : scalar) }
    return text.isEmpty ? "[unknown]" : String(text)
  }
}
