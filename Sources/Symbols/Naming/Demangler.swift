internal import Runtime

/// Turns linkage names of Swift and C++ into what was written. Names of C are left alone.
package struct Demangler {
  private static let knownCountMax = 16_384
  private var known: [String: String] = [:]

  package init() {}

  /// 7 to 14 µs for a new name.
  package mutating func name(for linkageName: String) -> String {
    if let name = known[linkageName] { return name }
    let symbol = SymbolicatedBacktrace.Symbol(
      imageIndex: 0, imageName: "", rawName: linkageName, offset: 0, sourceLocation: nil)
    let name = symbol.name
    if known.count >= Self.knownCountMax { known.removeAll() }
    known[linkageName] = name
    return name
  }
}
