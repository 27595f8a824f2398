import Dispatch
import LinuxKernel
import StallMonitor

/// Which thread serves a queue just now.
///
/// Dispatch keeps the number of the thread that drains a serial queue in the queue, where whoever waits for it can read it.
/// Where in the queue that is no header tells: it is found out on a queue of our own, and not relied on where that does not
/// show it without doubt. It is read by the kernel's copying call, which a wrong address does no harm.
struct QueueServer: Sendable {
  enum Answer: Equatable, Sendable {
    /// This thread does.
    case thread(Int32)
    /// None does: the queue is idle, suspended, or waits for a thread.
    case nobody
    /// It cannot be told here.
    case unknown
  }

  private static let byteCount = 128
  /// The rest of the word says who else waits.
  private static let numberMask: UInt32 = 0x3fff_ffff

  /// Where the number stands; nil where it cannot be told.
  private static let offset: Int? = {
    let queue = DispatchQueue(label: "stall-monitor.trial")
    guard let address = address(of: queue) else { return nil }
    let number = UInt32(bitPattern: ThreadIdentity.kernelNumber)
    let idle = words(at: address)
    let busy = queue.sync { words(at: address) }
    guard !idle.isEmpty, idle.count == busy.count else { return nil }
    let candidates = busy.indices.filter { busy[$0] & numberMask == number && idle[$0] & numberMask == 0 }
    return candidates.count == 1 ? candidates.first : nil
  }()

  private let address: UInt64?

  init(_ queue: DispatchQueue) { address = Self.address(of: queue) }

  /// Whoever asks keeps the queue.
  var answer: Answer {
    guard let address, let offset = Self.offset else { return .unknown }
    let words = Self.words(at: address)
    guard words.indices.contains(offset) else { return .unknown }
    let number = Int32(bitPattern: words[offset] & Self.numberMask)
    return number == 0 ? .nobody : .thread(number)
  }

  /// The queue that dispatch knows, in Swift's object around it.
  private static func address(of queue: DispatchQueue) -> UInt64? {
    Mirror(reflecting: queue).children.lazy.compactMap { child in
      unsafe (child.value as? OpaquePointer).map { UInt64(UInt(bitPattern: $0)) }
    }.first
  }

  private static func words(at address: UInt64) -> [UInt32] {
    let bytes = OwnMemory().bytes(at: address, count: byteCount)
    return stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
      (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }
  }
}
