import CGLib
import Glibc
public import Mainspring

/// A `GMainContext` of the calling thread, which GLib's and GTK's sources are in.
///
/// Two ways lead to one loop for both: this loop hosts the context (``hosted(nests:file:line:)``), or the context hosts
/// this loop (``GLibSource``). Where GTK's `g_application_run` or `gtk_main` is the main loop, take the second.
@safe public final class GLibContext: @unchecked Sendable {
  // Sendable: GLib's contexts may be used from any thread. SAFETY: the object has a reference of its own.
  let context: OpaquePointer

  /// The context of the program's main thread, GTK's among others.
  public static var main: GLibContext { unsafe GLibContext(retaining: g_main_context_default()) }

  /// A context of its own, for a thread that has others than the main one's.
  public init() { unsafe context = g_main_context_new() }

  /// A context that somebody else made; a reference to it is taken.
  ///
  /// - Parameter context: a `GMainContext *`.
  @unsafe public init(retaining context: OpaquePointer) {
    unsafe self.context = g_main_context_ref(context)
  }

  deinit { unsafe g_main_context_unref(context) }

  /// For GLib's own functions.
  @unsafe public var pointer: OpaquePointer { unsafe context }

  /// The context as a guest of a Mainspring loop: an item to be added to the modes in which its sources are to be served.
  ///
  /// Before that loop sleeps, the context's sources are prepared and its descriptors and next date are taken over; when one
  /// has come they are checked, and dispatched by priority, as in an iteration of the context. GLib's time-outs are as
  /// exact as GLib has them, a millisecond. Nobody else may run the context's iterations between two of the guest's, but
  /// its own callouts may, as a dialog does that runs a loop of its own.
  ///
  /// ```swift
  /// import Mainspring
  /// import MainspringGLib
  ///
  /// let loop = RunLoop.current
  /// let glib = GLibContext.main.hosted()
  /// loop.add(glib, to: .common)
  /// // From here on what GLib and GTK call is called by this loop, until `glib` is invalidated.
  /// loop.perform(in: .default, after: .milliseconds(10)) { glib.invalidate() }
  /// loop.run()
  /// ```
  ///
  /// The context is acquired for the loop's thread while the item is not invalid. Where another thread has it, nothing is
  /// served until that has released it, for which is looked whenever the loop is about to sleep.
  ///
  /// - Parameter nests: whether a run of the Mainspring loop that one of the context's callouts nests goes on with the
  ///   context, as GLib's own nested loops do.
  public func hosted(
    nests: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> RunLoop.HostedLoop {
    let guest = ContextGuest(self)
    return RunLoop.HostedLoop(nests: nests, file: file, line: line) {
      guest.prepare(&$0)
    } dispatch: { _, _ in
      guest.dispatch()
    }
  }
}
