/// What callgrind wrote of one region: the instructions of each function, and who called whom how often.
struct CallgrindProfile {
  /// All instructions.
  let total: Int
  /// By function, without those that it called.
  private(set) var instructions: [Substring: Int] = [:]
  private(set) var calls: [Call: Int] = [:]

  struct Call: Hashable {
    let caller: Substring
    let callee: Substring
  }

  /// - Parameter names: what the numbers in place of names stand for, as said in the parts that were written before.
  init(text: String, names: inout [Substring: Substring]) throws(Unreadable) {
    var total: Int?
    var (function, callee): (Substring, Substring) = ("", "")
    var isCost = true
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = Substring(line)
      if let name = line.value(of: "fn=") {
        function = Self.resolve(name, &names)
      } else if let name = line.value(of: "cfn=") {
        callee = Self.resolve(name, &names)
      } else if let numbers = line.value(of: "calls=") {
        calls[Call(caller: function, callee: callee), default: 0] += Self.number(numbers)
        // The next line has what the callee took.
        isCost = false
      } else if let sum = line.value(of: "totals: ") {
        total = Self.number(sum)
      } else if let first = line.first, first.isNumber || "+-*".contains(first) {
        if isCost, let space = line.firstIndex(of: " ") {
          instructions[function, default: 0] += Self.number(line[space...].dropFirst())
        }
        isCost = true
      }
    }
    guard let total else { throw Unreadable(what: "a profile without totals", text: text) }
    self.total = total
  }

  /// A name is written out once, behind a number in brackets that stands for it from then on.
  private static func resolve(_ name: Substring, _ names: inout [Substring: Substring]) -> Substring {
    guard let bracket = name.firstIndex(of: ")") else { return name }
    let number = name[...bracket]
    let written = name[bracket...].dropFirst(2)
    if !written.isEmpty { names[number] = written }
    return names[number] ?? number
  }

  private static func number(_ text: Substring) -> Int { Int(text.prefix { $0 != " " }) ?? 0 }
}

extension Substring {
  /// What stands behind a key that the line begins with.
  fileprivate func value(of key: String) -> Substring? { hasPrefix(key) ? dropFirst(key.count) : nil }
}
