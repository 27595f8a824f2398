internal import CStackCapture
internal import Glibc
package import Symbols

/// Finds out what threads wait for, from their system calls. Touches no thread and takes no lock.
///
/// Some 1 µs for a lock, 3 µs for a descriptor. What it reads of memory is not believed before it is checked.
package struct WaitReader {
  let memory: any MemoryReader
  /// Whether a thread of this number lives in this process.
  let isOwnThread: (Int32) -> Bool
  /// What the link of a descriptor in /proc says.
  let descriptorLink: (Int32) -> String?

  /// Reads this process.
  package init(memory: OwnMemory) {
    self.init(memory: memory, isOwnThread: ms_is_own_thread, descriptorLink: Self.linkOfOwnDescriptor)
  }

  /// Reads whatever these answer.
  package init(
    memory: any MemoryReader, isOwnThread: @escaping (Int32) -> Bool,
    descriptorLink: @escaping (Int32) -> String?
  ) {
    self.memory = memory
    self.isOwnThread = isOwnThread
    self.descriptorLink = descriptorLink
  }

  /// What a thread waits for that sleeps there; nil where it cannot be told.
  package func target(of place: SystemCall) -> WaitTarget? {
    switch place {
    case .inCall(let call): target(of: call)
    case .outsideCall: WaitTarget(.page)
    case .running, .unknown: nil
    }
  }

  private func target(of call: SystemCall.Call) -> WaitTarget? {
    guard call.arguments.count == 6 else { return nil }
    let first = Int32(truncatingIfNeeded: call.arguments[0])
    var target: WaitTarget?
    switch call.number {
    case 202: target = futexTarget(call)
    case 454: target = WaitTarget(.futex, address: call.arguments[0])  // futex_wait
    case 449: target = WaitTarget(.futex)  // futex_waitv
    // read, write, ioctl, pread64, pwrite64, readv, writev, sendfile, connect, accept, sendto, recvfrom, sendmsg, recvmsg,
    // preadv, pwritev, accept4, recvmmsg, sendmmsg
    case 0, 1, 16, 17, 18, 19, 20, 40, 42, 43, 44, 45, 46, 47, 295, 296, 288, 299, 307:
      target = WaitTarget(kind(ofDescriptor: first))
    case 2, 257, 437: target = WaitTarget(.file)  // open, openat, openat2
    case 7, 271: target = pollTarget(call)
    case 23, 270: target = WaitTarget(call.arguments[0] == 0 ? .sleep : .descriptors)  // select, pselect6
    case 232, 281, 441: target = WaitTarget(.epoll)
    case 61: target = childTarget(first)  // wait4
    case 247: target = childTarget(first == 1 ? Int32(truncatingIfNeeded: call.arguments[1]) : 0)  // waitid
    case 56, 58, 435: target = WaitTarget(.child)  // clone, vfork, clone3: until the child has its own memory
    case 72, 73: target = WaitTarget(.fileLock)  // fcntl, flock
    case 26, 74, 75, 162, 277, 306: target = WaitTarget(.storage)  // msync, fsync, fdatasync, sync, …
    case 9, 10, 11, 12, 25, 28: target = WaitTarget(.memory)  // mmap, mprotect, munmap, brk, mremap, madvise
    case 35, 230: target = WaitTarget(.sleep)  // nanosleep, clock_nanosleep
    case 34, 128, 130: target = WaitTarget(.signal)  // pause, rt_sigtimedwait, rt_sigsuspend
    case 65, 220: target = WaitTarget(.semaphore)
    case 69, 70: target = WaitTarget(.messageQueue)
    case 208, 333, 426: target = WaitTarget(.ring)  // io_getevents, io_pgetevents, io_uring_enter
    default: break
    }
    target?.isTimed = call.isLimited
    return target
  }

  private func childTarget(_ process: Int32) -> WaitTarget {
    var target = WaitTarget(.child)
    target.process = process > 0 ? process : nil
    return target
  }

  // MARK: descriptors

  /// Of one descriptor, its kind; of none, a sleep.
  private func pollTarget(_ call: SystemCall.Call) -> WaitTarget {
    switch call.arguments[1] {
    case 0: return WaitTarget(.sleep)
    case 1:
      let descriptor: Int32? = memory.bytes(at: call.arguments[0], count: 4).integer(at: 0)
      return WaitTarget(descriptor.map { kind(ofDescriptor: $0) } ?? .descriptors)
    default: return WaitTarget(.descriptors)
    }
  }

  /// Only the kind: a path would tell what the program works on.
  private func kind(ofDescriptor number: Int32) -> WaitTarget.Kind {
    guard number >= 0, let link = descriptorLink(number) else { return .descriptors }
    for (start, kind) in Self.kindsOfLinks where link.hasPrefix(start) { return kind }
    return link.hasPrefix("/") ? .file : .descriptors
  }

  private static let kindsOfLinks: [(String, WaitTarget.Kind)] = [
    ("pipe:", .pipe), ("socket:", .socket), ("anon_inode:[eventfd]", .eventfd),
    ("anon_inode:[timerfd]", .timerfd), ("anon_inode:[signalfd]", .signalfd),
    ("anon_inode:inotify", .inotify),
    ("anon_inode:[eventpoll]", .epoll), ("anon_inode:[io_uring]", .ring), ("anon_inode:[pidfd]", .child),
    ("/dev/pts/", .terminal), ("/dev/tty", .terminal), ("/dev/ptmx", .terminal), ("/dev/", .device),
    ("/memfd:", .memory),
  ]

  private static func linkOfOwnDescriptor(_ number: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    // SAFETY: writes at most the array's length.
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe readlink(
        "/proc/self/fd/\(number)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }
}

extension SystemCall.Call {
  /// Whether the wait ends by itself: after a span, or at a moment.
  var isLimited: Bool {
    guard arguments.count == 6 else { return false }
    switch number {
    case 35, 230: return true
    case 23: return arguments[4] != 0  // select
    case 270: return arguments[4] != 0  // pselect6
    case 271: return arguments[2] != 0  // ppoll
    case 202:
      // Locks and waits alone have a time there.
      return [0, 6, 9, 11, 13].contains(arguments[1] & 0x7F) && arguments[3] != 0
    default: return isGivenSpan && number != 426
    }
  }
}
