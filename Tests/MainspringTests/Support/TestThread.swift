import Glibc

/// A thread of its own that runs a closure and ends; its loop ends with it.
final class TestThread: Sendable {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var made = pthread_t()
    let cargo = unsafe Unmanaged.passRetained(Cargo(body)).toOpaque()
    // SAFETY: the thread takes over the cargo's reference.
    let result = unsafe pthread_create(
      &made, nil,
      { raw in
        unsafe Unmanaged<Cargo>.fromOpaque(raw!).takeRetainedValue().body()
        return nil
      }, cargo)
    precondition(result == 0, "no thread to be had: \(result)")
    handle = made
  }

  /// Runs a closure on a thread of its own, for a task that waits meanwhile and holds none of those that tasks share.
  static func done(_ body: @escaping @Sendable () -> Void) async {
    let thread = Box<TestThread>()
    await withCheckedContinuation { continuation in
      thread.value = TestThread {
        body()
        continuation.resume()
      }
    }
    thread.value?.join()
  }

  /// Waits until the thread has ended, thread-specific data included.
  func join() { _ = pthread_join(handle, nil) }

  private final class Cargo: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
