extension RunLoop {
  /// Where a listener is found by other processes of the machine.
  public enum PortAddress: Hashable, Sendable {
    /// A file, whose folder's and own modes say who may connect. At most 107 bytes.
    case path(String)
    /// A name without a file, which ends with its listener. Whoever is in the same network namespace may connect, and
    /// anyone may have taken the name before: what is checked is who it is. At most 107 bytes.
    case abstract(String)

    var name: String {
      switch self {
      case .path(let name), .abstract(let name): name
      }
    }

    var isAbstract: Bool { if case .abstract = self { true } else { false } }
  }
}

extension RunLoop.PortAddress: CustomStringConvertible {
  /// The path, or the name behind an `@`.
  public var description: String { (isAbstract ? "@" : "") + name }
}
