/// Plants faults into one file so that a number in the environment chooses among them at run time.
///
/// An expression becomes `(Planted.fault == 7 ? (new) : (old))`, statements an `if`. Faults at the same place, or one
/// within another's old text, nest.
struct Planting {
  private let language: Language
  private let text: [Character]
  private var planted: [(number: Int, edit: Fault.Edit, range: Range<Int>)] = []

  enum Language { case swift, c }

  init(_ text: String, in language: Language) {
    self.text = Array(text)
    self.language = language
  }

  /// Finds the place; says what is wrong if there is not exactly one, nil if all is well.
  mutating func plant(_ edit: Fault.Edit, as number: Int) -> String? {
    var start = 0
    if let anchor = edit.anchor {
      let found = places(of: anchor, from: 0)
      guard found.count == 1 else { return "'\(anchor)' stands there \(found.count) times" }
      start = found[0].upperBound
    }
    let found = places(of: edit.old, from: start)
    guard found.count == 1 || edit.anchor != nil && !found.isEmpty else {
      return "'\(edit.old)' stands there \(found.count) times"
    }
    let range = found[0]
    if let other = planted.first(where: { !$0.range.isNested(with: range) }) {
      return "'\(edit.old)' overlaps '\(other.edit.old)' of another fault"
    }
    planted.append((number, edit, range))
    return nil
  }

  /// Where a text stands, white space in it standing for any.
  private func places(of sought: String, from start: Int) -> [Range<Int>] {
    let words = sought.split(whereSeparator: \.isWhitespace).map(Array.init)
    return (start..<text.count).compactMap { begin in
      if begin > 0, text[begin - 1].isWordPart, words[0][0].isWordPart { return nil }
      var at = begin
      for (index, word) in words.enumerated() {
        if index > 0 {
          let gap = at
          while at < text.count, text[at].isWhitespace { at += 1 }
          if at == gap { return nil }
        }
        guard text[at...].starts(with: word) else { return nil }
        at += word.count
      }
      if at < text.count, text[at].isWordPart, words.last!.last!.isWordPart { return nil }
      return begin..<at
    }
  }

  /// The file with all faults in it.
  var result: String {
    let order = planted.sorted { ($0.range.count, $1.number) > ($1.range.count, $0.number) }
    return (language == .c ? Self.supportInC : "") + render(0..<text.count, with: order)
  }

  /// - Parameter faults: those within the range, an outer one before those in it.
  private func render(
    _ range: Range<Int>, with faults: [(number: Int, edit: Fault.Edit, range: Range<Int>)]
  ) -> String {
    var (result, at) = ("", range.lowerBound)
    var left = faults
    while let next = left.indices.min(by: { left[$0].range.lowerBound < left[$1].range.lowerBound }) {
      // Of those that begin there the outermost stands first.
      let outer = left.remove(at: next)
      let isInside = { (fault: (number: Int, edit: Fault.Edit, range: Range<Int>)) in
        outer.range.lowerBound <= fault.range.lowerBound && fault.range.upperBound <= outer.range.upperBound
      }
      let old = render(outer.range, with: left.filter(isInside))
      left.removeAll(where: isInside)
      result += text[at..<outer.range.lowerBound]
      result += choice(outer.number, outer.edit, old)
      at = outer.range.upperBound
    }
    return result + text[at..<range.upperBound]
  }

  private func choice(_ number: Int, _ edit: Fault.Edit, _ old: String) -> String {
    let isChosen = language == .swift ? "Planted.fault == \(number)" : "planted_fault == \(number)"
    return switch edit.kind {
    case .expression: "(\(isChosen) ? (\(edit.new)) : (\(old)))"
    case .statements: "if (\(isChosen)) {\n\(edit.new)\n} else {\n\(old)\n}"
    }
  }

  /// What a target in Swift needs for it.
  static let support = """
    import Glibc

    enum Planted {
      /// The fault that the environment chose, 0 for none.
      static let fault = unsafe getenv("MAINSPRING_PLANTED_FAULT").flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    """

  /// What a file in C needs for it: read beforehand, for what may be called in a signal handler.
  private static let supportInC = """
    #include <stdlib.h>

    static int planted_fault;

    __attribute__((constructor)) static void choose_planted_fault(void) {
        const char *text = getenv("MAINSPRING_PLANTED_FAULT");
        planted_fault = text ? atoi(text) : 0;
    }

    """
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}

extension Range<Int> {
  /// Whether one is within the other, or they have nothing in common.
  fileprivate func isNested(with other: Range<Int>) -> Bool {
    !overlaps(other) || clamped(to: other) == self || other.clamped(to: self) == other
  }
}
