extension AppleLayout {
  var threadSections: [String] {
    Array(threads.enumerated().map(section).joined(separator: [""]))
  }

  /// The thread's name, what it does, what it waits for, and its frames.
  private func section(_ number: Int, _ thread: Report.Thread) -> [String] {
    let name = thread.name.name.map { "Thread \(number) name:  \($0.printable)".elided(to: style.width) }
    let label = "Thread \(number)\(thread.isStalled ? " (stalled)" : ""):"
    let wait = thread.waitsOn.map {
      "Thread \(number) waits for \(report.targetText(waiter: thread.name.tid, holder: $0.owner))"
    }
    let head = ["Thread \(number) state: \(stateText(thread))", wait].compactMap(\.self)
      .flatMap { $0.wrapped(to: style.width) }
    let frames = report.stack(of: thread).map { report.stacks.stacks[$0].enumerated().map(frame) }
    return [name].compactMap(\.self) + head + [style.paint(label, thread.isStalled ? .culprit : .headline)]
      + (frames ?? ["No stack could be taken."])
  }

  private func stateText(_ thread: Report.Thread) -> String {
    let state = thread.state.map { Self.stateWords[$0] ?? "\($0)".printable } ?? "unknown"
    return "\(state), number \(thread.name.tid)" + (thread.cpu.map { ", \($0.spanText) on the CPU" } ?? "")
  }

  private static let stateWords: [Character: String] = [
    "R": "R (runs)", "S": "S (sleeps)", "D": "D (sleeps, takes no signals)", "T": "T (stopped)",
    "t": "t (traced)",
    "Z": "Z (ended)", "X": "X (ended)", "I": "I (idle)",
  ]

  /// `3   libc.so.6           0x00007fa579ce10f0 memmove + 12`.
  private func frame(_ number: Int, _ index: Int) -> String {
    let frame = report.stacks.frames[index]
    if case .gap(let count) = frame.kind {
      return "\(number)".aligned(left: 4) + "... \(count) frames left out ..."
    }
    let image = frame.image.flatMap {
      report.stacks.images.indices.contains($0) ? report.stacks.images[$0] : nil
    }
    let address = image.map { $0.base &+ (frame.offset ?? 0) } ?? frame.offset ?? 0
    let name = report.stacks.imageName(of: frame)?.printable ?? "???"
    var place = frame.location.map { " (\($0.description.printable))" } ?? ""
    let start =
      "\(number)".aligned(left: 4) + name.elided(to: imageWidth).aligned(left: imageWidth) + " "
      + Self.address(address) + " "
    var room = style.width - start.count - place.count
    if room < 16 { (place, room) = ("", style.width - start.count) }
    return start + symbol(frame, image).elided(to: room) + style.paint(place, .location)
  }

  /// Where there is no symbol, the image's first address stands in its place, as that layout has it.
  private func symbol(_ frame: Report.Frame, _ image: Report.Image?) -> String {
    if let symbol = frame.symbol {
      return symbol.printable + (frame.symbolOffset.map { " + \($0)" } ?? "")
    }
    return image.map { "\(Self.address($0.base)) + \(frame.offset ?? 0)" } ?? "???"
  }

  static func address(_ value: UInt64) -> String { "0x" + Hexadecimal.digits(value, count: 16) }
}
