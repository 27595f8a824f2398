import Foundation
import Glibc
import Synchronization

/// Time since it was made, on the monotonic clock.
struct Stopwatch: Sendable {
  private let start = SuspendingClock.now

  var elapsed: Duration { start.duration(to: .now) }
  var milliseconds: Double { elapsed / .milliseconds(1) }
  var microseconds: Double { elapsed / .microseconds(1) }
}

/// Something that several threads, or a callback and its maker, have in common.
final class Shared<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) { content = Mutex(value) }

  var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }

  func change(_ body: (inout Value) -> Void) { content.withLock { value in body(&value) } }
}

/// What this process uses.
enum ProcessFigures {
  static var threads: Int { count("/proc/self/task") }
  /// Without the one that the count itself takes.
  static var descriptors: Int { count("/proc/self/fd") - 1 }

  /// Processor time of all threads, ms.
  static var processorMilliseconds: Double {
    var time = timespec()
    // SAFETY: the call writes one timespec, which outlives it.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Processor time that `body` uses, of all threads, for each of so many operations, µs: what others do on the
  /// machine is not in it.
  static func processorMicroseconds(perOneOf operations: Int, _ body: () -> Void) -> Double {
    let before = processorMilliseconds
    body()
    return (processorMilliseconds - before) * 1000 / Double(operations)
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
  }
}

/// Lets the calling thread sleep.
func pause(_ time: Duration) { Thread.sleep(forTimeInterval: time / .seconds(1)) }

/// Runs `body` on a thread of its own.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }
