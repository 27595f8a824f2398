/// A function's name without what differs from build to build: what the compiler made of one function
/// (closures, specialisations, thunks, parts of an async function) has that function's name.
enum SymbolName {
  /// No compiler makes one function out of another more often than this, even in nested closures.
  private static let stepsMax = 24
  /// Longer names stay as they are: they are nobody's to read, and may be made to take long.
  private static let byteCountMax = 16_384

  /// The name of the function that `symbol` was made from.
  ///
  /// - Complexity: O(*n*) for each thing that is taken off; a symbol has few.
  static func normalized(_ symbol: String) -> String {
    guard symbol.utf8.count <= byteCountMax else { return symbol }
    var name = Substring(symbol)
    for _ in 0..<stepsMax {
      guard let shorter = withoutPrefix(name) ?? withoutSuffix(name) else { break }
      name = shorter
    }
    return name.isEmpty ? symbol : String(name)
  }

  private static let plainPrefixes = [
    "partial apply forwarder for ", "partial apply for ", "specialized ", "merged ", "@objc ",
    "dispatch thunk of ", "protocol witness for ",
  ]

  private static func withoutPrefix(_ name: Substring) -> Substring? {
    for prefix in plainPrefixes where name.hasPrefix(prefix) { return name.dropFirst(prefix.count) }
    // glibc's own alias of a function: __GI___nanosleep.
    if name.hasPrefix("__GI_") { return name.dropFirst("__GI_".count).drop { $0 == "_" } }
    if name.hasPrefix("closure #") || name.hasPrefix("implicit closure #") {
      // At the top level of a module the closure is the function: its outer name is the module's alone.
      return name.after(" in ").flatMap { $0.contains { ".( #".contains($0) } ? $0 : nil }
    }
    if name.hasPrefix("generic ") || name.hasPrefix("function signature specialization ") {
      return name.after("> of ")
    }
    if name.hasPrefix("("), let tail = name.after("partial function for ") { return tail }
    return nil
  }

  private static let suffixes = [
    ".cold", ".isra", ".part", ".constprop", ".llvm", ".resume", ".lto_priv", ".warm",
  ]

  private static func withoutSuffix(_ name: Substring) -> Substring? {
    // What the demangler makes of the next ones.
    if name.utf8.contains(UInt8(ascii: " ")), let suffix = name.upTo(" with unmangled suffix ") {
      return suffix
    }
    // A version of a symbol of a C library: memcpy@@GLIBC_2.14.
    if let at = name.firstIndex(of: "@"), at > name.startIndex, !name.contains(" ") { return name[..<at] }
    if let tail = mangledSuffix(name) { return name.dropLast(tail) }
    // A number after the suffix: f.cold.1, f.llvm.1234.
    let unnumbered = name.droppingTrailing { $0.isNumber }
    if unnumbered.count < name.count, unnumbered.last == "." {
      let stem = unnumbered.dropLast()
      for suffix in suffixes where stem.hasSuffix(suffix) { return stem.dropLast(suffix.count) }
    }
    for suffix in suffixes where name.hasSuffix(suffix) { return name.dropLast(suffix.count) }
    return hashSuffix(name)
  }

  /// The length of what Swift appends to a mangled name for parts of async functions and for thunks.
  private static func mangledSuffix(_ name: Substring) -> Int? {
    guard name.hasPrefix("$s") || name.hasPrefix("$S") else { return nil }
    for suffix in ["TA", "Tm"] where name.hasSuffix(suffix) { return suffix.count }
    guard name.last == "_" else { return nil }
    let unnumbered = name.dropLast().droppingTrailing { $0.isNumber }
    guard unnumbered.hasSuffix("TY") || unnumbered.hasSuffix("TQ") else { return nil }
    return name.count - unnumbered.count + 2
  }

  /// Rust's `::h` and sixteen digits, which change with every compiler.
  private static func hashSuffix(_ name: Substring) -> Substring? {
    let digits = name.suffix(16)
    let stem = name.dropLast(16)
    guard digits.count == 16, digits.allSatisfy(\.isHexDigit), stem.hasSuffix("::h") else { return nil }
    return stem.dropLast(3)
  }
}
