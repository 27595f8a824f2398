import CWayland
import Mainspring

/// Asks the compositor for frames of a surface, on a queue of its own, and for nothing else.
///
/// Made by one thread, and used by the loop's from then on.
@safe final class SurfaceFrames {
  // SAFETY: `link` is the one pointer to what `wayland_link_make` made, until `close` has given it back. The display and the
  // surface are the program's, which keeps both until the link is invalid.
  private var link: UnsafeMutablePointer<wayland_link>?
  /// Frames in a thousand seconds, as the outputs say; nil if they do not.
  let millihertz: UInt64?
  /// Readable when an event has come. The program closes it.
  let descriptor: CInt

  init(of surface: OpaquePointer, on display: OpaquePointer) throws(WaylandError) {
    guard unsafe wl_display_get_error(display) == 0 else { throw .connectionLost }
    guard let link = unsafe wayland_link_make(display, surface) else { throw .noMemory }
    let told = unsafe wayland_outputs_millihertz(link)
    millihertz = MeasuredRate.believable.contains(told) ? told : nil
    descriptor = unsafe wl_display_get_fd(display)
    guard unsafe wl_display_get_error(display) == 0 else {
      unsafe wayland_link_free(link)
      throw .connectionLost
    }
    unsafe self.link = unsafe link
  }

  deinit { close() }

  /// Lets go of everything: from then on the program may end its connection.
  func close() {
    guard let link = unsafe link else { return }
    unsafe self.link = nil
    unsafe wayland_link_free(link)
  }

  /// Asks for the next frame, if that was not asked; says whether it could.
  func ask() -> Bool {
    guard let link = unsafe link else { return false }
    return unsafe wayland_link_ask(link)
  }

  /// Reads what waits; says whether there is still a connection. Only where the descriptor is readable.
  func read() -> Bool {
    guard let link = unsafe link else { return true }
    return unsafe wayland_read(link.pointee.display, link.pointee.queue)
  }

  /// Looks at what others have read.
  func dispatch() -> Bool {
    guard let link = unsafe link else { return true }
    return unsafe wayland_dispatch(link.pointee.display, link.pointee.queue)
  }

  /// When the frame began that was asked for, if it has: ms on the compositor's clock, without the upper bits.
  func takeFrame() -> UInt32? {
    guard let link = unsafe link, unsafe link.pointee.has_come else { return nil }
    unsafe link.pointee.has_come = false
    return unsafe link.pointee.time
  }
}
