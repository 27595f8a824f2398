import CWindow

/// A window on an X server. Only on the main thread.
@safe @MainActor
final class Window {
  private let window: OpaquePointer

  /// What happened in it.
  enum Event: Equatable, Sendable {
    case pressed(button: Int, y: Double, milliseconds: UInt32)
    case released(button: Int, milliseconds: UInt32)
    case moved(y: Double, milliseconds: UInt32)
    case key(Key)
    case exposed
    /// It is off the screen, and whatever held it has let go.
    case hidden
    case closed
  }

  enum Key: UInt32 {
    case q = 0x71
    case s = 0x73
    case escape = 0xFF1B
    case home = 0xFF50
    case up = 0xFF52
    case down = 0xFF54
    case pageUp = 0xFF55
    case pageDown = 0xFF56
    case end = 0xFF57
    case space = 0x20
  }

  enum Failure: Error, CustomStringConvertible {
    case noDisplay, noMemory, wrongPixels

    var description: String {
      switch self {
      case .noDisplay:
        "no X server answers at DISPLAY; start one, or: xvfb-run -s '-screen 0 960x640x24' ScrollList"
      case .noMemory: "no memory for a window"
      case .wrongPixels: "the display does not have 24 bits a pixel"
      }
    }
  }

  init(width: Int, height: Int, title: String) throws(Failure) {
    var failure = ms_window_made
    // SAFETY: the title ends in zero and outlives the call.
    guard let window = unsafe ms_window_open(CInt(width), CInt(height), title, &failure) else {
      throw failure == ms_window_no_display
        ? .noDisplay : failure == ms_window_wrong_pixels ? .wrongPixels : .noMemory
    }
    unsafe self.window = window
  }

  // SAFETY: the window is this object's alone.
  isolated deinit { unsafe ms_window_close(window) }

  var number: UInt32 { unsafe ms_window_number(window) }
  var descriptor: CInt { unsafe ms_window_descriptor(window) }

  /// Draws a new picture and shows it.
  ///
  /// - Returns: false if the server has not read the last ones yet: nothing is drawn then.
  func draw(_ body: (Canvas) -> Void) -> Bool {
    // SAFETY: the canvas lives as long as the window, and this one no longer than the call.
    guard let canvas = unsafe ms_window_canvas(window) else { return false }
    body(unsafe Canvas(ofWindow: canvas))
    unsafe ms_window_show(window)
    return true
  }

  /// Waits until the server shows what was drawn.
  func wait() { unsafe ms_window_wait(window) }

  /// Takes the next event that has come; nil if there is none.
  func next() -> Event? {
    while true {
      let event = unsafe ms_window_next(window)
      switch event.kind {
      case ms_event_none: return nil
      case ms_event_press:
        return .pressed(button: Int(event.code), y: Double(event.y), milliseconds: event.time)
      case ms_event_release: return .released(button: Int(event.code), milliseconds: event.time)
      case ms_event_motion: return .moved(y: Double(event.y), milliseconds: event.time)
      case ms_event_key: if let key = Key(rawValue: event.code) { return .key(key) }
      case ms_event_exposed: return .exposed
      case ms_event_hidden: return .hidden
      case ms_event_closed: return .closed
      default: continue
      }
    }
  }
}
