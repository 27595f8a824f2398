import CWindow

/// What a screen shows at one moment.
@safe public final class Screenshot {
  private let canvas: OpaquePointer

  /// Of the screen of an X server.
  public init(of screen: VirtualScreen) throws {
    // SAFETY: the name ends in zero and outlives the call.
    guard let canvas = unsafe ms_screen_copy(screen.name) else { throw DriverError.noScreenshot }
    unsafe self.canvas = canvas
  }

  // SAFETY: the canvas is this object's alone.
  deinit { unsafe ms_canvas_free(canvas) }

  /// The colour at a place, 0xRRGGBB.
  public func color(x: Int, y: Int) -> UInt32 { unsafe ms_canvas_color(canvas, CInt(x), CInt(y)) }

  /// How many pixels have a colour, of all of them.
  public func count(of color: UInt32) -> Int {
    (0..<VirtualScreen.size.height).reduce(0) { count, y in
      count + (0..<VirtualScreen.size.width).count { self.color(x: $0, y: y) == color }
    }
  }

  /// Writes a PNG file.
  public func write(to path: String) throws {
    // SAFETY: the path ends in zero and outlives the call.
    guard unsafe ms_canvas_write(canvas, path) else { throw DriverError.noScreenshot }
  }
}
