import CGtk

/// A window of GTK's that draws another colour for every frame.
///
/// On the main thread alone.
@safe final class Window {
  private let window: OpaquePointer
  private let area: OpaquePointer
  private(set) var ticks = 0
  private(set) var drawings = 0
  private let onTick: (Int) -> Void

  init(onTick: @escaping (Int) -> Void) {
    self.onTick = onTick
    unsafe window = gtk_window_new()
    unsafe area = gtk_drawing_area_new()
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    // SAFETY: the window is destroyed before this object goes, and calls nobody afterwards.
    unsafe gtk_drawing_area_set_draw_func(
      area,
      { _, cairo, _, _, data in
        unsafe Unmanaged<Window>.fromOpaque(data!).takeUnretainedValue().draw(cairo!)
      }, own, nil)
    unsafe gtk_widget_add_tick_callback(
      area,
      { _, _, data in
        unsafe Unmanaged<Window>.fromOpaque(data!).takeUnretainedValue().tick()
        return 1
      }, own, nil)
    unsafe gtk_window_set_default_size(window, 200, 150)
    unsafe gtk_window_set_child(window, area)
    unsafe gtk_window_present(window)
  }

  deinit { unsafe gtk_window_destroy(window) }

  private func tick() {
    ticks += 1
    unsafe gtk_widget_queue_draw(area)
    onTick(ticks)
  }

  private func draw(_ cairo: OpaquePointer) {
    drawings += 1
    unsafe cairo_set_source_rgb(cairo, Double(drawings % 60) / 60, 0.4, 0.6)
    unsafe cairo_paint(cairo)
  }
}
