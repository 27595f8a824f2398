extension Substring {
  /// What follows the first `separator` outside of brackets.
  func after(_ separator: String) -> Substring? {
    var depth = 0
    // A separator that begins with a closing bracket closes the level that it is found on.
    let level = separator.first == ">" ? 1 : 0
    var index = startIndex
    while index < endIndex {
      let rest = self[index...]
      if depth == level, rest.hasPrefix(separator) { return rest.dropFirst(separator.count) }
      switch self[index] {
      case "(", "<", "[": depth += 1
      case ")", "]": depth -= 1
      // The head of an arrow closes nothing.
      case ">" where index == startIndex || self[self.index(before: index)] != "-": depth -= 1
      default: break
      }
      formIndex(after: &index)
    }
    return nil
  }

  /// What precedes the first `separator` outside of brackets.
  func upTo(_ separator: String) -> Substring? {
    after(separator).map { self[..<index($0.startIndex, offsetBy: -separator.count)] }
  }

  /// The rest without the characters at its end that match.
  func droppingTrailing(while matches: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, matches(last) { rest.removeLast() }
    return rest
  }

  /// What stands in the bracket that the text begins with, and what follows it; `nil` if it is not closed.
  func bracketed() -> (inside: Substring, tail: Substring)? {
    var depth = 0
    var previous: Character = " "
    for index in indices {
      switch self[index] {
      case "(", "<", "[": depth += 1
      case ")", "]": depth -= 1
      case ">" where previous != "-": depth -= 1
      default: break
      }
      previous = self[index]
      guard depth == 0 else { continue }
      return (self[self.index(after: startIndex)..<index], self[self.index(after: index)...])
    }
    return nil
  }
}
