/// An X server that shows its screen to nobody, at 60 frames a second; it goes with this object.
public final class VirtualScreen {
  private let server: Child
  /// As in DISPLAY.
  public let name: String

  /// The size of the example's window.
  public static let size = (width: 960, height: 640)

  /// Starts it, and returns when it takes connections.
  public init() throws(DriverError) {
    let screen = "\(Self.size.width)x\(Self.size.height)x24"
    server = try Child(
      ["Xvfb", "-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"], isSilent: true)
    // It says its number when it is ready.
    var digits = ""
    while !digits.hasSuffix("\n") {
      let more = server.read()
      guard !more.isEmpty else { throw .ended("Xvfb") }
      digits += String(decoding: more, as: UTF8.self)
    }
    name = ":" + digits.dropLast()
  }
}

/// What stood in the way of driving the program.
public enum DriverError: Error, Equatable, Sendable {
  /// A program ended, or could not be started.
  case ended(String)
  /// The program wrote a line that says nothing.
  case notUnderstood(String)
  case noScreenshot
}
