/// Why a display cannot be followed, or not any more.
public enum DisplayError: Error, Hashable, Sendable {
  /// Nobody answers under the name, or it is none.
  case noDisplay(name: String)
  /// The display's server does not speak of frames: it lacks the extension Present.
  case noFrames
  /// The window does not exist, or not any more.
  case noWindow
  /// The server has ended, or the connection to it.
  case connectionLost
}

extension DisplayError: CustomStringConvertible {
  /// What to do about it.
  public var description: String {
    switch self {
    case .noDisplay(let name):
      "there is no display \(name.isEmpty ? "in DISPLAY" : "\"\(name)\""); use a link with a timer instead"
    case .noFrames: "the display's server lacks the extension Present; use a link with a timer instead"
    case .noWindow: "the window does not exist on this display"
    case .connectionLost: "the connection to the display was lost"
    }
  }
}
