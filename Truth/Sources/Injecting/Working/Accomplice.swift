import CHostility
import Glibc
import Grid
import Synchronization

/// A thread that has what the stalled one waits for, and lets it go when the time is over.
final class Accomplice: @unchecked Sendable {
  // Sendable: the system's locks are for any thread; `isMet` is touched with the lock held; `job` is handed over by
  // semaphores.
  let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let other = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  let mutex = Mutex<UInt64>(0)
  let pipe: (read: CInt, write: CInt)
  var isMet = false
  /// Posted by the stalled thread as it begins to wait: the time counts from then.
  let begun = Semaphore()

  private var job: (work: Work, length: UInt64) = (.nothing, 0)
  private let hasJob = Semaphore()
  private let isReady = Semaphore()

  init() {
    pthread_mutex_init(lock, nil)
    pthread_mutex_init(other, nil)
    pthread_cond_init(condition, nil)
    var ends: [CInt] = [-1, -1]
    precondition(open_pipe(&ends, 1) == 0, "no pipe could be made")
    pipe = (ends[0], ends[1])
    startThread(named: "accomplice") { [self] in while true { serve() } }
  }

  /// Whether the work needs somebody else.
  static func isNeeded(for work: Work) -> Bool {
    [.lock, .swiftMutex, .pipe, .condition, .deadlock].contains(work)
  }

  /// Comes back when what the stalled thread will wait for is held.
  func prepare(_ work: Work, _ length: UInt64) {
    job = (work, length)
    hasJob.post()
    isReady.wait()
  }

  private func serve() {
    hasJob.wait()
    switch job.work {
    case .lock:
      pthread_mutex_lock(lock)
      hold()
      pthread_mutex_unlock(lock)
    case .deadlock:
      pthread_mutex_lock(lock)
      isReady.post()
      begun.wait()
      letGo(after: job.length)
      pthread_mutex_lock(other)
      pthread_mutex_unlock(other)
    case .swiftMutex: mutex.withLock { _ in hold() }
    case .pipe:
      hold()
      var byte: UInt8 = 1
      _ = write(pipe.write, &byte, 1)
    case .condition:
      hold()
      pthread_mutex_lock(lock)
      isMet = true
      pthread_cond_signal(condition)
      pthread_mutex_unlock(lock)
    default: isReady.post()
    }
  }

  /// Nobody but its owner may unlock a lock, and the C library lets anybody: a circle that nothing ends could not be one
  /// injection among many.
  private func letGo(after length: UInt64) {
    startThread(named: "circle-breaker") { [self] in
      Clock.rest(length)
      pthread_mutex_unlock(lock)
    }
  }

  private func hold() {
    isReady.post()
    begun.wait()
    Clock.rest(job.length)
  }
}
