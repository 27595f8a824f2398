/// What callgrind wrote of one region.
struct CallgrindProfile {
  /// All instructions.
  let total: Int

  init(text: String) throws(Unreadable) {
    let mark = "totals: "
    guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(mark) }),
      let total = Int(line.dropFirst(mark.count).prefix { $0 != " " })
    else { throw Unreadable(what: "a profile without totals", text: text) }
    self.total = total
  }
}
