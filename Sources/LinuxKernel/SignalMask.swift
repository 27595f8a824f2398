// For the types of sets, as in `NativeThread`.
import CLinuxKernel
import Glibc

/// The signals that a thread holds back: they wait until they are taken or let through.
package enum SignalMask {
  /// That of the calling thread.
  package static var current: SignalSet { change(SIG_BLOCK, SignalSet()) }

  /// Holds signals back on the calling thread; says which were not before.
  @discardableResult
  package static func block(_ signals: SignalSet) -> SignalSet {
    signals.subtracting(change(SIG_BLOCK, signals))
  }

  /// Lets signals through on the calling thread; those that waited come at once.
  package static func unblock(_ signals: SignalSet) { _ = change(SIG_UNBLOCK, signals) }

  /// Says what a child that this thread makes by `fork` is to let through first thing.
  package static func letThroughInChild(_ signals: SignalSet) { ms_let_through_in_child(signals.bits) }

  /// Gives the mask as it was before.
  private static func change(_ how: CInt, _ signals: SignalSet) -> SignalSet {
    var set = signals.systemSet
    var former = sigset_t()
    // SAFETY: reads one set and writes another; both outlive the call.
    let result = unsafe pthread_sigmask(how, &set, &former)
    require(result == 0, "the signal mask cannot be changed: \(KernelError(result))")
    return SignalSet(former)
  }

  /// The threads of this process that let one of the signals through, as of now.
  package static func threadsLettingThrough(_ signals: SignalSet) -> [CInt] {
    guard let folder = unsafe opendir("/proc/self/task") else { return [] }
    defer { unsafe closedir(folder) }
    var threads: [CInt] = []
    while let entry = unsafe readdir(folder) {
      // SAFETY: the entry is valid until the folder is read on, and its name ends with a zero byte.
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let thread = CInt(name), let blocked = blocked(ofThread: thread) else { continue }
      if !signals.subtracting(blocked).isEmpty { threads.append(thread) }
    }
    return threads.sorted()
  }

  /// From the line `SigBlk:` and sixteen hexadecimal digits; nil if the thread is gone.
  private static func blocked(ofThread thread: CInt) -> SignalSet? {
    let file = unsafe open("/proc/self/task/\(thread)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: reads at most the array's length into the array.
    let count = unsafe read(file, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("SigBlk:") }),
      let bits = UInt64(line.dropFirst("SigBlk:".count).drop { $0 == "\t" || $0 == " " }, radix: 16)
    else { return nil }
    return SignalSet((1...SignalSet.last).filter { bits >> UInt64($0 - 1) & 1 != 0 })
  }
}
