import Mainspring

/// What the user does, from the window's descriptor to the program.
///
/// As in UIKit an event comes by what the kernel tells of, and goes on by a source within the program. The server's other
/// messages come by the same descriptor and go no further.
@MainActor
final class Input {
  private let events: RunLoop.EventQueue<Window.Event>

  init(
    from window: Window, on loop: MainRunLoop, handler: @escaping @MainActor @Sendable (Window.Event) -> Void
  ) {
    let end: @Sendable () -> Void = { MainActor.assumeIsolated { handler(.closed) } }
    events = RunLoop.EventQueue(window.descriptor) {
      MainActor.assumeIsolated { window.next() }
    } onEnd: { _, _ in
      end()
    } deliver: { event in
      MainActor.assumeIsolated { handler(event) }
    }
    loop.add(events, to: .common)
  }

  /// Takes in what has come. To be called after each request to the server, too: while it is sent, events may be read off the
  /// descriptor, which will not tell of them then.
  func takeIn() { events.readWaiting() }
}
