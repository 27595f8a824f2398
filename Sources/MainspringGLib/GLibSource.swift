import CGLib
import Glibc
public import Mainspring

/// A Mainspring loop as a source of a `GMainContext`: where GLib's or GTK's loop is the one that runs.
///
/// ```swift
/// import Mainspring
/// import MainspringGLib
///
/// let loop = RunLoop.current
/// let source = try GLibSource(of: loop, in: .main)
/// let beat = RunLoop.Timer(every: .milliseconds(10)) { _ in print("on GTK's main loop") }
/// loop.add(beat, to: .default)
/// // From here on g_application_run, gtk_main or g_main_loop_run call what is in the loop.
/// source.invalidate()
/// ```
///
/// The source takes part by its priority, as every other; in GLib's loops that its own callouts run, too. Made, and let go
/// of, on the loop's thread, which is to be the one that runs the context.
@safe public final class GLibSource {
  /// The loop as a guest.
  public let guest: RunLoop.Guest
  // SAFETY: the source has a reference of this object's until it is invalidated.
  private var source: OpaquePointer?
  private let onStop: @Sendable () -> Void

  /// Makes the loop a guest and attaches it to the context.
  ///
  /// - Parameters:
  ///   - mode: in which the loop is served.
  ///   - priority: as GLib's: smaller numbers go first, 0 is the usual one; GTK draws at 120 and lays out at 110.
  ///   - onStop: called when a stop meets the loop: the place to end GLib's.
  /// - Throws: where the process has no descriptor left for it.
  /// - Precondition: the calling thread is the loop's, which has no host yet.
  public init(
    of loop: RunLoop, in context: GLibContext, mode: RunLoop.Mode = .default, priority: Int32 = 0,
    onStop: @escaping @Sendable () -> Void = {}
  ) throws(RunLoop.DescriptorError) {
    guest = try loop.beHosted(in: mode)
    self.onStop = onStop
    let made = unsafe g_unix_fd_source_new(guest.descriptor, UInt32(POLLIN))!
    unsafe source = unsafe made
    unsafe g_source_set_priority(made, priority)
    unsafe g_source_set_can_recurse(made, 1)
    // SAFETY: the source is destroyed before this object goes, and calls nobody afterwards.
    unsafe glib_set_descriptor_call(
      made,
      { _, _, data in
        let source = unsafe Unmanaged<GLibSource>.fromOpaque(data!).takeUnretainedValue()
        return source.takeTurn()
      }, Unmanaged.passUnretained(self).toOpaque(), nil)
    unsafe g_source_attach(made, context.context)
  }

  deinit { invalidate() }

  /// Says whether the source stays.
  private func takeTurn() -> CInt {
    switch guest.turn() {
    case .idle, .more: break
    case .stopped: onStop()
    case .over: return 0
    }
    return unsafe source == nil ? 0 : 1
  }

  /// Leaves the context; the loop runs itself again.
  public func invalidate() {
    guard let source = unsafe source else { return }
    unsafe self.source = nil
    unsafe g_source_destroy(source)
    unsafe g_source_unref(source)
    guest.invalidate()
  }
}
