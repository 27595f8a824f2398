/// A Swift function's name as the demangler writes it in full, made short enough to read:
/// `Mod.B.(p in _78C2…)(q: Swift.Int?) -> Swift.Bool` is `B.p(q:)`.
enum SwiftSymbol {
  /// The short form of `demangled`; itself if it is short already.
  ///
  /// - Parameters:
  ///   - demangled: The name in the demangler's full or short form.
  ///   - module: The module to leave out at the beginning, besides Swift's.
  /// - Complexity: O(*n*²) in the nesting of closures, O(*n*) else.
  static func simplified(_ demangled: String, module: String?) -> String {
    let name = Substring(demangled)
    // A closure at the top level of a module, whose name the demangler's short form leaves out.
    if name.hasSuffix(" in ") { return module.map { demangled + $0 } ?? String(demangled.dropLast(4)) }
    // The full form of a function or variable always tells its type.
    guard name.contains(" -> ") || name.contains(" : ") else { return demangled }
    return simplified(name, module: module)
  }

  /// The module in a mangled name such as `$s5maild9MailStoreC7reindexyyF`: maild.
  static func module(ofMangled mangled: String) -> String? {
    guard let prefix = ["$s", "$S", "_$s"].first(where: mangled.hasPrefix) else { return nil }
    let rest = mangled.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isNumber }
    guard let length = Int(digits), length > 0, rest.count >= digits.count + length else { return nil }
    return String(rest.dropFirst(digits.count).prefix(length))
  }

  /// Whether a mangled name is of something in Swift's own modules, which may be compiled into any program:
  /// `$sSa6append…` and `$ss5ClockP…` are, `$sSa5maildE5first…`, an extension in maild, is not.
  static func isOfSwift(mangled: String) -> Bool {
    guard let prefix = ["$s", "$S", "_$s"].first(where: mangled.hasPrefix) else { return false }
    var rest = mangled.dropFirst(prefix.count)
    switch rest.first {
    // The module Swift.
    case "s": return true
    // A type with a letter of its own; those of the module _Concurrency have two.
    case "S": rest = rest.dropFirst(rest.hasPrefix("Sc") ? 3 : 2)
    default: return false
    }
    let digits = rest.prefix { $0.isNumber }
    guard let length = Int(digits), rest.count > digits.count + length else { return true }
    return rest.dropFirst(digits.count + length).first != "E"
  }

  private static func simplified(_ name: Substring, module: String?) -> String {
    for word in ["closure #", "implicit closure #", "local #"] where name.hasPrefix(word) {
      guard let outer = name.after(" in ") else { break }
      let number = name.dropFirst(word.count).prefix { $0.isNumber }
      return "\(word)\(number) in " + simplified(outer, module: module)
    }
    if name.hasPrefix("generic ") || name.hasPrefix("function signature specialization "),
      let original = name.after("> of ")
    {
      return "specialized " + simplified(original, module: module)
    }
    for prefix in ["partial apply forwarder for ", "protocol witness for ", "merged ", "static "]
    where name.hasPrefix(prefix) {
      return prefix + simplified(name.dropFirst(prefix.count), module: module)
    }
    if name.hasPrefix("("), let original = name.after("partial function for ") {
      return simplified(original, module: module)
    }
    if name.hasPrefix("reabstraction thunk") { return String(name) }
    return entity(name, module: module)
  }

  /// A function's or variable's own name, with its argument labels and without its type.
  private static func entity(_ name: Substring, module: String?) -> String {
    var rest = name.hasPrefix("(extension in ") ? name.after(":") ?? name : name
    for module in [module, "Swift"].compactMap({ $0.map { $0 + "." } }) where rest.hasPrefix(module) {
      rest = rest.dropFirst(module.count)
      break
    }
    var text = ""
    while let next = rest.first {
      if rest.hasPrefix(" : ") || rest.hasPrefix(" -> ") { break }
      if let (name, tail) = privateName(rest) {
        text += name
        rest = tail
      } else if next == "(", let (inside, _) = rest.bracketed() {
        return text + "(" + labels(inside) + ")"
      } else if next == "<", text.last?.isLetter == true || text.last?.isNumber == true,
        let (_, tail) = rest.bracketed()
      {
        rest = tail
      } else {
        text.append(next)
        rest.removeFirst()
      }
    }
    return text
  }

  /// The name in `(name in _78C2…)`, by which private functions of different files are told apart.
  private static func privateName(_ text: Substring) -> (name: Substring, tail: Substring)? {
    guard text.first == "(", let (inside, tail) = text.bracketed(), let name = inside.upTo(" in _") else {
      return nil
    }
    return (name, tail)
  }

  /// The labels of a parameter list: `_: A, by: B` is `_:by:`.
  private static func labels(_ parameters: Substring) -> String {
    var text = ""
    var rest = parameters
    while !rest.isEmpty {
      let parameter = rest.upTo(", ") ?? rest
      text += (parameter.upTo(": ").map(String.init) ?? "_") + ":"
      rest = rest.after(", ") ?? ""
    }
    return text
  }
}
