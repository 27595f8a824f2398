import CWaylandClient
import Testing

/// A program's window; its connection ends with this object.
@safe final class WaylandClient: @unchecked Sendable {
  // Sendable: made by a test and used on the loop's thread, one after the other.
  // SAFETY: the one pointer to what was opened, until the end.
  private let client: OpaquePointer
  /// The `wl_display`.
  let display: OpaquePointer
  /// The `wl_surface`.
  let surface: OpaquePointer

  init(socket: String) throws {
    guard let client = unsafe wayland_client_open(socket) else { throw Missing() }
    unsafe self.client = unsafe client
    unsafe display = unsafe OpaquePointer(wayland_client_display(client))
    unsafe surface = unsafe OpaquePointer(wayland_client_surface(client))
  }

  /// Nobody answers at the socket.
  struct Missing: Error {}

  deinit { unsafe wayland_client_close(client) }

  func show() { unsafe wayland_client_show(client) }
  func hide() { unsafe wayland_client_hide(client) }
  func sync() { unsafe wayland_client_sync(client) }
  var answers: Int { unsafe Int(wayland_client_answers(client)) }
}
