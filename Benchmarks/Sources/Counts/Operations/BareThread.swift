import Glibc

/// A thread without anything to it.
struct BareThread {
  private let thread: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    var made = pthread_t()
    // SAFETY: the thread takes over the one reference that the box was given.
    let result = unsafe pthread_create(
      &made, nil,
      { raw in
        unsafe Unmanaged<Box>.fromOpaque(raw!).takeRetainedValue().body()
        return nil
      }, box)
    precondition(result == 0, "no thread: error \(result)")
    thread = made
  }

  func join() {
    let result = pthread_join(thread, nil)
    precondition(result == 0, "a thread could not be waited for: error \(result)")
  }

  /// Has a thread do `body`, and waits for it.
  static func run(_ body: @escaping @Sendable () -> Void) { BareThread(body).join() }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
