import CHostility
import Glibc

/// A semaphore whose waits no signal ends.
package final class Semaphore: @unchecked Sendable {
  // Sendable: the system's calls are for any thread, and the memory stays where it is.
  private let memory = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { sem_init(memory, 0, 0) }

  deinit {
    sem_destroy(memory)
    memory.deallocate()
  }

  package func post() { sem_post(memory) }
  package func wait() { while sem_wait(memory) != 0, errno == EINTR {} }

  /// Whether it was posted within a tenth of a second.
  func waitBriefly() -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end = timespec(nanoseconds: UInt64(end.tv_sec) * 1_000_000_000 + UInt64(end.tv_nsec) + 100_000_000)
    while sem_timedwait(memory, &end) != 0 { if errno != EINTR { return false } }
    return true
  }
}

/// Starts a thread that nobody waits for.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
  let box = Unmanaged.passRetained(
    Body {
      name_thread(name)
      body()
    })
  var thread = pthread_t()
  let result = pthread_create(
    &thread, nil,
    { argument in
      Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  precondition(result == 0, "no thread could be made: \(result)")
  pthread_detach(thread)
}

private final class Body: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
