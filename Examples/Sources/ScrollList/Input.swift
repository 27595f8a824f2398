import Mainspring

/// What the user does, from the window's descriptor to the program.
///
/// As in UIKit an event comes by what the kernel tells of, and goes on by a source within the program: the descriptor source
/// only takes events in, in whatever mode, and signals the other, which hands them over. The server's other messages come by
/// the same descriptor and go no further.
@MainActor
final class Input {
  private let window: Window
  private var events: [Window.Event] = []
  private let handOver: RunLoop.Source

  init(
    from window: Window, on loop: MainRunLoop, handler: @escaping @MainActor @Sendable (Window.Event) -> Void
  ) throws {
    self.window = window
    let own = OwnInput()
    handOver = RunLoop.Source { _ in
      MainActor.assumeIsolated {
        for event in own.input?.takeAll() ?? [] { handler(event) }
      }
    }
    own.input = self
    let arrival = RunLoop.DescriptorSource(window.descriptor) { _, _ in
      MainActor.assumeIsolated { own.input?.takeIn() }
    }
    loop.add(handOver, to: .common)
    try loop.add(arrival, to: .common)
  }

  /// What the sources call; it belongs to them, and must not keep the input.
  @MainActor
  private final class OwnInput {
    weak var input: Input?
  }

  /// Takes in what has come. To be called after each request to the server, too: while it is sent, events may be read off the
  /// descriptor, which will not tell of them then.
  func takeIn() {
    while let event = window.next() { events.append(event) }
    if window.isLost { events.append(.closed) }
    if !events.isEmpty { handOver.signal() }
  }

  private func takeAll() -> [Window.Event] {
    defer { events = [] }
    return events
  }
}
