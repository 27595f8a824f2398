/// A function's name reduced to what the injector calls it.
enum FunctionName {
  /// `Module.Type.name(label:)` and whatever a compiler makes of it, to `name`.
  static func base(_ symbol: String) -> String {
    var name = symbol[...]
    // What stands before the function it was made from: "closure #1 in f()", "specialized f()".
    if let made = name.range(ofLast: " in ") { name = name[made.upperBound...] }
    if let end = name.firstIndex(where: { $0 == "(" || $0 == "<" }) { name = name[..<end] }
    if let space = name.lastIndex(of: " ") { name = name[name.index(after: space)...] }
    if let dot = name.lastIndex(of: ".") { name = name[name.index(after: dot)...] }
    return String(name)
  }
}

extension Substring {
  func range(ofLast text: String) -> Range<Index>? {
    var start = endIndex
    while start > startIndex {
      start = index(before: start)
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
    }
    return nil
  }
}
