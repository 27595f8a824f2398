import CCounts
import Glibc

/// Names of functions as people read them.
enum FunctionName {
  /// What was written, of a name as the linker has it: without what the compiler did to the function, without which file a
  /// private one is in, and without the names of the modules that nearly all are of.
  static func written(_ name: Substring) -> String {
    var rest = demangled(String(name))[...]
    while let work = compilersWork.first(where: rest.hasPrefix) {
      rest = rest.dropFirst(work.count)
      if work.hasSuffix("<") { rest = afterBracket(rest) }
    }
    var written = ""
    while let first = rest.first {
      if let behind = ["Mainspring.", "Swift."].first(where: rest.hasPrefix) {
        rest.removeFirst(behind.count)
      } else if rest.hasPrefix(" in _"), let end = rest.firstIndex(of: ")") {
        rest = rest[end...]
      } else {
        written.append(first)
        rest.removeFirst()
      }
    }
    return written
  }

  private static let compilersWork = [
    "merged ", "generic specialization <", "generic pre-specialization <",
    "function signature specialization <",
  ]

  /// What stands behind "> of ", brackets within brackets passed over.
  private static func afterBracket(_ text: Substring) -> Substring {
    var depth = 1
    var last: Character = " "
    for index in text.indices {
      if text[index] == "<" { depth += 1 }
      // Not the head of an arrow.
      if text[index] == ">", last != "-" { depth -= 1 }
      last = text[index]
      if depth == 0 { return text[index...].dropFirst("> of ".count) }
    }
    return text
  }

  private static func demangled(_ name: String) -> String {
    // SAFETY: the answer ends in zero and is freed here, once.
    guard let written = unsafe swift_demangle(name, name.utf8.count, nil, nil, 0) else { return name }
    defer { unsafe free(written) }
    return unsafe String(cString: written)
  }
}
