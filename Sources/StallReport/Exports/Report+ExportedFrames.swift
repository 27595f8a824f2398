extension Report {
  /// What stands for a stack where none could be had.
  static let noStack = "[no stack]"

  /// A frame's function as exports name it: its name, else its image and offset; one line, and not too long.
  func exportedName(ofFrame index: Int) -> String {
    let frame = stacks.frames[index]
    if case .gap(let count)? = frame.kind { return "[\(count) frames left out]" }
    if let symbol = frame.symbol, !symbol.isEmpty { return symbol.exported }
    guard let offset = frame.offset else { return stacks.imageName(of: frame)?.exported ?? "[unknown]" }
    return "\(stacks.imageName(of: frame)?.exported ?? "[unknown]")+\(Hexadecimal.address(offset))"
  }

  /// A frame's image, if the table has it.
  func image(ofFrame index: Int) -> Image? {
    guard let image = stacks.frames[index].image, stacks.images.indices.contains(image) else { return nil }
    return stacks.images[image]
  }

  /// The address of a frame's instruction as it was in the process.
  ///
  /// Of a caller it lies within the call, not behind it: no reader needs to take one off.
  func address(ofFrame index: Int) -> UInt64? {
    guard let offset = stacks.frames[index].offset, let image = image(ofFrame: index) else { return nil }
    return image.base &+ offset
  }

  /// The frames of a stack by instruction, root first as given: what was inlined stands in one piece with the function
  /// it was inlined into, which is its first.
  func instructions(ofFrames frames: [Int]) -> [ArraySlice<Int>] {
    var pieces: [ArraySlice<Int>] = []
    for position in frames.indices {
      if let piece = pieces.last, isInlined(frames[position], below: frames[position - 1]),
        !piece.contains(frames[position])
      {
        pieces[pieces.count - 1] = frames[piece.startIndex...position]
      } else {
        pieces.append(frames[position...position])
      }
    }
    return pieces
  }

  /// Whether a frame was inlined into its caller: it says so, or both are the same instruction.
  private func isInlined(_ frame: Int, below caller: Int) -> Bool {
    if stacks.frames[frame].inlinedInto == caller { return true }
    let (inner, outer) = (stacks.frames[frame], stacks.frames[caller])
    return inner.offset != nil && inner.offset == outer.offset && inner.image != nil
      && inner.image == outer.image
  }

  /// The report with its fingerprint: to find it anew for each line that tells of it would take long.
  var fingerprinted: Report {
    guard fingerprint == nil else { return self }
    var report = self
    report.computeFingerprint()
    return report
  }

  /// The culprit's frame; that of a starved thread has none.
  var culpritFrame: Int? { fingerprint?.culprit.flatMap { stacks.frames.indices.contains($0) ? $0 : nil } }

  /// The name of all frames that stand for the culprit; they differ in lines and addresses.
  var culpritName: String? { culpritFrame.map { exportedName(ofFrame: $0) } }

  /// The issue in words, with the verdict: `MailStore.reindex() in timer callback, busy`.
  var issueTitle: String {
    let title = (fingerprint?.title ?? Fingerprint(of: self).title).exported
    // That of a starved host says so itself.
    guard let verdict = cost.verdict, verdict != .starved else { return title }
    return "\(title), \(verdict.rawValue)"
  }

  /// The thread's name for people: `maild 4121`.
  static func exportedName(of thread: ThreadName) -> String {
    thread.name.map { "\($0.exported) \(thread.tid)" } ?? "thread \(thread.tid)"
  }
}

extension String {
  /// More than this of a name, in characters of Unicode, nobody reads; formats repeat names, and are not to grow by it.
  private static let longestExported = 400

  /// The text in one line, and cut in the middle if it is very long: names differ at both ends.
  var exported: String {
    let scalars = unicodeScalars
    let half = Self.longestExported / 2
    guard
      let last = scalars.index(
        scalars.startIndex, offsetBy: Self.longestExported, limitedBy: scalars.endIndex),
      last < scalars.endIndex
    else { return printable }
    return (String(scalars.prefix(half)) + "…" + String(scalars.suffix(half))).printable
  }
}
