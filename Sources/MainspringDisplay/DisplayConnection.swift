import CXcbPresent
import Mainspring

/// A connection to an X server that asks for frames of a window, and for nothing else.
///
/// The program's own connection is not used: whoever reads from that takes events into memory, where no descriptor tells
/// of them. Made by one thread, and used by the loop's from then on.
@safe final class DisplayConnection {
  private let connection: OpaquePointer
  private let window: UInt32
  private let opcode: UInt8
  private let outputsEvent: UInt8
  /// Frames in a thousand seconds, as the server says of the output that shows the window; nil if it does not.
  let millihertz: UInt64?

  /// - Parameters:
  ///   - name: as in DISPLAY; nil is what that says.
  ///   - window: nil is the root of the screen.
  init(to name: String?, window: UInt32?) throws(DisplayError) {
    var screen: CInt = 0
    // SAFETY: xcb gives a connection also where it gives none, which says so; it is let go of in each case, here before
    // the object is whole, and by its end from then on.
    guard let connection = unsafe xcb_connect(name, &screen) else { throw .noDisplay(name: name ?? "") }
    let opcode = unsafe xcb_connection_has_error(connection) == 0 ? xcb_present_opcode(connection) : 0
    if opcode == 0 {
      let isThere = unsafe xcb_connection_has_error(connection) == 0
      unsafe xcb_disconnect(connection)
      throw isThere ? .noFrames : .noDisplay(name: name ?? "")
    }
    let root = unsafe xcb_present_root(connection, screen)
    let window = window ?? root
    outputsEvent = unsafe xcb_outputs_listen(connection, root)
    let told = unsafe outputsEvent == 0 ? 0 : xcb_outputs_millihertz(connection, window, root)
    millihertz = MeasuredRate.believable.contains(told) ? told : nil
    unsafe self.connection = unsafe connection
    self.opcode = opcode
    self.window = window
    guard unsafe xcb_present_listen(connection, self.window) else {
      throw isLost ? .connectionLost : .noWindow
    }
  }

  deinit { unsafe xcb_disconnect(connection) }

  /// Readable when an event has come. Closed with the connection.
  var descriptor: CInt { unsafe xcb_get_file_descriptor(connection) }

  var isLost: Bool { unsafe xcb_connection_has_error(connection) != 0 }

  /// Asks for an answer of that number when the frame `target` is shown; where that has been, when the next is whose
  /// number is a multiple of `divisor`, or soon, if that is 0.
  func ask(_ serial: UInt32, target: UInt64, divisor: UInt64) {
    unsafe xcb_present_ask(connection, window, serial, target, divisor)
  }

  enum News {
    /// µs on the server's clock, the number of the frame.
    case frame(serial: UInt32, time: UInt64, number: UInt64)
    case refused
    /// The outputs are others, or show other modes.
    case outputs
    case other
  }

  /// The next of what has come; nil if there is nothing. Does not wait.
  func next() -> News? {
    var answer = xcb_present_answer()
    // SAFETY: the connection lives as long as this object; the answer is filled where a frame is told.
    return switch unsafe xcb_present_take(connection, opcode, outputsEvent, &answer) {
    case xcb_present_frame: .frame(serial: answer.serial, time: answer.ust, number: answer.msc)
    case xcb_present_refused: .refused
    case xcb_present_outputs: .outputs
    case xcb_present_other: .other
    default: nil
    }
  }
}
