/// What strace wrote of a measured program: a line a call, of all threads.
struct CallTrace {
  /// The calls between the two marks of each region.
  let count: Count

  /// Not counted: the operations' own rests, and questions for the time, which where the machine lets programs ask
  /// without the kernel are no calls at all.
  private static let ignored: Set<Substring> = ["clock_nanosleep", "clock_gettime"]

  init(text: String) throws(Unreadable) {
    var regions: [[Substring: Int]] = []
    var isInside = false
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = Substring(line)
      if Self.isMark("begin", line) {
        regions.append([:])
        isInside = true
      } else if Self.isMark("end", line) {
        isInside = false
      } else if isInside, let call = Self.call(in: line), !Self.ignored.contains(call) {
        regions[regions.count - 1][call, default: 0] += 1
      }
    }
    guard regions.count == 2, !isInside else {
      throw Unreadable(what: "a trace with \(regions.count) regions", text: text)
    }
    var count = Count(
      once: regions[0].values.reduce(0, +), thrice: regions[1].values.reduce(0, +))
    for (name, number) in regions[0] { count.parts[String(name), default: .init()].once = number }
    for (name, number) in regions[1] { count.parts[String(name), default: .init()].thrice = number }
    self.count = count
  }

  private static func isMark(_ word: String, _ line: Substring) -> Bool {
    line.contains("write(-1, \"\(word)\"")
  }

  /// The name of the call that a line begins; nil if it tells of the end of one, of a signal, or of a thread's end.
  private static func call(in line: Substring) -> Substring? {
    let rest = line.drop { $0.isNumber }.drop { $0 == " " }
    guard let first = rest.first, first.isLetter else { return nil }
    return rest.prefix { $0 != "(" }
  }
}
