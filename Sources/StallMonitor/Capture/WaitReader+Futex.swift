import Symbols

/// Who holds the word that a thread sleeps on.
///
/// The kernel's locks keep their holder in the word. The C library's do not: there the holder lies beside the word, in a
/// layout that is part of its binary interface. It is believed only where all of it is as such a lock would be.
extension WaitReader {
  private enum Operation {
    static let wait: UInt64 = 0
    static let waitBits: UInt64 = 9
    static let lock: UInt64 = 6
    static let lock2: UInt64 = 13
  }

  private static let privateFlag: UInt64 = 128
  private static let holderMask: UInt32 = 0x3FFF_FFFF
  private static let waitersFlag: UInt32 = 0x8000_0000
  /// Enough for the largest of the structures below.
  private static let structureByteCount = 40

  func futexTarget(_ call: SystemCall.Call) -> WaitTarget {
    let address = call.arguments[0]
    let plain = WaitTarget(.futex, address: address)
    guard address & 3 == 0, let word = word(at: address) else { return plain }
    switch call.arguments[1] & 0x7F {
    case Operation.lock, Operation.lock2:
      return WaitTarget(.priorityMutex, address: address, owner: thread(word & Self.holderMask))
    case Operation.wait, Operation.waitBits:
      let expected = UInt32(truncatingIfNeeded: call.arguments[2])
      // It slept because the word was so. It is about to wake if it is no more.
      guard word == expected else { return plain }
      let isPrivate = call.arguments[1] & Self.privateFlag != 0
      // Where threads have small numbers, as in a container, the word of a lock may be one, too: locks first.
      return mutex(word, address) ?? rwlock(word, address) ?? lockWithHolder(word, address)
        ?? joined(word, address, isPrivate) ?? plain
    default: return plain
    }
  }

  /// pthread_join sleeps on the other thread's number, which the kernel takes away at its end: never a private word.
  private func joined(_ word: UInt32, _ address: UInt64, _ isPrivate: Bool) -> WaitTarget? {
    guard !isPrivate, let owner = thread(word) else { return nil }
    return target(.threadEnd, address, owner)
  }

  /// pthread_mutex_t: lock, count, owner, users, kind. Its word is 2 while somebody sleeps.
  private func mutex(_ word: UInt32, _ address: UInt64) -> WaitTarget? {
    let contended: UInt32 = 2
    guard word == contended || word & Self.waitersFlag != 0, address & 7 == 0 else { return nil }
    let bytes = memory.bytes(at: address, count: Self.structureByteCount)
    guard let count: UInt32 = bytes.integer(at: 4), let holder: UInt32 = bytes.integer(at: 8),
      let users: UInt32 = bytes.integer(at: 12), let kind: UInt32 = bytes.integer(at: 16)
    else { return nil }
    guard isPlausible(kind: kind, count: count, users: users), let owner = thread(holder) else { return nil }
    // Of a robust one, the word names the holder as well.
    guard word == contended || word & Self.holderMask == holder else { return nil }
    return target(.mutex, address, owner)
  }

  private func isPlausible(kind: UInt32, count: UInt32, users: UInt32) -> Bool {
    // Timed, recursive, error-checking, adaptive; robust; shared; with or without elision.
    let recursive: UInt32 = 1
    let known: UInt32 = 0b11 | 0x10 | 0x80 | 0x100 | 0x200
    let usersMax: UInt32 = 1 << 16
    guard kind & ~known == 0, (1...usersMax).contains(users) else { return false }
    return (kind & 0b11 == recursive) == (count > 0)
  }

  /// Locks of libdispatch and others: the holder's number with a flag for sleepers.
  private func lockWithHolder(_ word: UInt32, _ address: UInt64) -> WaitTarget? {
    guard word & Self.waitersFlag != 0, let owner = thread(word & Self.holderMask) else { return nil }
    return target(.mutex, address, owner)
  }

  /// pthread_rwlock_t: readers, writers, word of the phase, word of the writers, two unused, the writer, whether shared.
  private func rwlock(_ word: UInt32, _ address: UInt64) -> WaitTarget? {
    // Either word is 3 while somebody sleeps on it: taken, and with sleepers.
    guard word == 3 else { return nil }
    let base = address & 7 == 0 ? address &- 8 : address &- 12
    let bytes = memory.bytes(at: base, count: Self.structureByteCount)
    guard let readers: UInt32 = bytes.integer(at: 0), let first: UInt32 = bytes.integer(at: 16),
      let second: UInt32 = bytes.integer(at: 20), let holder: UInt32 = bytes.integer(at: 24),
      let shared: UInt32 = bytes.integer(at: 28)
    else { return nil }
    // A writer has it: locked, and in the writers' phase.
    guard readers & 3 == 3, first == 0, second == 0, shared <= 1, let owner = thread(holder) else {
      return nil
    }
    return target(.rwlock, base, owner)
  }

  private func target(_ kind: WaitTarget.Kind, _ address: UInt64, _ owner: Int32) -> WaitTarget {
    var target = WaitTarget(kind, address: address, owner: owner)
    target.isOwnerHint = true
    return target
  }

  private func word(at address: UInt64) -> UInt32? { memory.bytes(at: address, count: 4).integer(at: 0) }

  /// The number as that of a living thread of this process.
  private func thread(_ number: UInt32) -> Int32? {
    guard let number = Int32(exactly: number), number > 0, isOwnThread(number) else { return nil }
    return number
  }
}
