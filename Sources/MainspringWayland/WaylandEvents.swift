import CWayland
public import Mainspring

/// Reads a Wayland connection in a loop, and calls the listeners of the program's that are on the connection's own queue.
///
/// libwayland reads for all queues at once, whoever reads: what is for another queue then waits in memory, where no descriptor
/// tells of it. So all that read have to do it as here: they say that they are going to, and look at their queue before they
/// sleep.
///
/// Nothing is called before it is added to a loop. Invalidate it before the connection is ended.
public final class WaylandEvents: Sendable {
  private let source: RunLoop.DescriptorSource
  private let observer: RunLoop.Observer

  /// The pointer, for closures that are called on the loop's thread.
  @safe private final class Connection: @unchecked Sendable {
    // Sendable: it never changes, and libwayland's calls on it may come from any thread.
    // SAFETY: the program keeps the connection until the events are invalid.
    private let display: OpaquePointer

    init(_ display: OpaquePointer) { unsafe self.display = unsafe display }

    var descriptor: CInt { unsafe wl_display_get_fd(display) }
    func read() -> Bool { unsafe wayland_read(display, nil) }
    func dispatch() -> Bool { unsafe wayland_dispatch(display, nil) }
  }

  /// The events of a connection.
  ///
  /// - Parameters:
  ///   - display: the `wl_display`. Listeners are called on the loop's thread.
  ///   - onFailure: called on the loop's thread, once, when the connection is lost; nothing is read any more then.
  public init(
    of display: OpaquePointer, file: StaticString = #fileID, line: UInt = #line,
    onFailure: (@Sendable (WaylandError) -> Void)? = nil
  ) {
    let connection = unsafe Connection(display)
    source = RunLoop.DescriptorSource(connection.descriptor, file: file, line: line) { source, _ in
      guard !connection.read() else { return }
      source.invalidate()
      onFailure?(.connectionLost)
    }
    // First of all: what the listeners ask for is done before the loop sleeps.
    observer = RunLoop.Observer(.beforeWaiting, order: .min, file: file, line: line) { [source] _, _ in
      if source.isValid { _ = connection.dispatch() }
    }
  }

  /// Reads in these modes from now on. From any thread, as `RunLoop.add(_:to:)`.
  public func add(to loop: RunLoop, in mode: RunLoop.Mode = .common) {
    loop.update { [source, observer] in
      $0.add(source as RunLoop.Item, to: mode)
      $0.add(observer, to: mode)
    }
  }

  /// Reads no more. From any thread, as `RunLoop.Item.invalidate()`.
  public func invalidate() {
    source.invalidate()
    observer.invalidate()
  }
}
