/// Why a compositor cannot be followed, or not any more.
public enum WaylandError: Error, Hashable, Sendable {
  /// The compositor has ended, or the connection to it; or it has refused a request of the program's, which ends the
  /// connection.
  case connectionLost
  /// There is no memory for what asks it.
  case noMemory
}

extension WaylandError: CustomStringConvertible {
  /// What to do about it.
  public var description: String {
    switch self {
    case .connectionLost:
      "the connection to the compositor was lost; connect anew, or use a link with a timer"
    case .noMemory: "there is no memory left to ask the compositor for frames"
    }
  }
}
