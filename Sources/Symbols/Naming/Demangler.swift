internal import Runtime

/// Turns linkage names of Swift and C++ into what was written. Names of C are left alone.
package struct Demangler {
  private static let knownCountMax = 16_384
  /// Longer names stay as they are: the language's own demangler calls itself for each level of nesting, which can be three
  /// bytes of the name and 1.6 KiB of the stack.
  private static let byteCountMax = 4096
  private var known: [String: String] = [:]

  package init() {}

  /// 7 to 14 µs for a new name. On a thread with 4 MiB of stack, as a hostile name takes up to 2.2 of it.
  package mutating func name(for linkageName: String) -> String {
    guard linkageName.utf8.count <= Self.byteCountMax else { return linkageName }
    if let name = known[linkageName] { return name }
    let symbol = SymbolicatedBacktrace.Symbol(
      imageIndex: 0, imageName: "", rawName: linkageName, offset: 0, sourceLocation: nil)
    let name = symbol.name
    if known.count >= Self.knownCountMax { known.removeAll() }
    known[linkageName] = name
    return name
  }
}
