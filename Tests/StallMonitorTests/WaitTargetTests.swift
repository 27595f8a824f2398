import MainspringTesting
import Symbols
import Testing

@testable import StallMonitor

/// What a wait is read out of: memory that may hold anything.
@Suite struct WaitTargetTests {
  private static let address: UInt64 = 0x7000
  private static let living: Set<Int32> = [100, 101]

  private func call(_ number: Int64, _ arguments: [UInt64]) -> SystemCall {
    .inCall(
      SystemCall.Call(
        number: number, arguments: arguments + [UInt64](repeating: 0, count: 6 - arguments.count),
        stackPointer: 0x9000, programCounter: 0x1000))
  }

  private func target(
    _ number: Int64, _ arguments: [UInt64], memory words: [UInt32] = [], link: String? = nil
  ) -> WaitTarget? {
    let reader = WaitReader(
      memory: WordMemory(start: Self.address - 16, words: [0, 0, 0, 0] + words),
      isOwnThread: { Self.living.contains($0) }, descriptorLink: { $0 == 5 ? link : nil })
    return reader.target(of: call(number, arguments))
  }

  /// A wait on the futex at `address` while its word is `expected`.
  private func futex(_ operation: UInt64, _ expected: UInt64, memory: [UInt32], timeout: UInt64 = 0)
    -> WaitTarget?
  {
    target(202, [Self.address, operation, expected, timeout], memory: memory)
  }

  @Test func `a lock with its holder in the word`() {
    let target = futex(128 | 6, 0, memory: [100 | 0x8000_0000])
    #expect(target == WaitTarget(.priorityMutex, address: Self.address, owner: 100))
    #expect(target?.isOwnerHint == false)
    #expect(futex(128 | 13, 0, memory: [101])?.owner == 101)
    #expect(futex(128 | 6, 0, memory: [99])?.owner == nil)
    #expect(futex(128 | 6, 0, memory: [0x7FFF_FFFF])?.owner == nil)
  }

  @Test func `a mutex of the C library, with its holder beside the word`() {
    // lock, count, owner, users, kind
    let target = futex(128, 2, memory: [2, 0, 100, 1, 0, 0, 0, 0, 0, 0])
    #expect(target == WaitTarget(.mutex, address: Self.address, owner: 100))
    #expect(target?.isOwnerHint == true)
    // Recursive; error-checking with sleepers on a condition; adaptive; shared.
    #expect(futex(128, 2, memory: [2, 3, 100, 1, 1, 0, 0, 0, 0, 0])?.owner == 100)
    #expect(futex(128, 2, memory: [2, 0, 100, 4, 0x102, 0, 0, 0, 0, 0])?.owner == 100)
    #expect(futex(128, 2, memory: [2, 0, 100, 1, 3, 0, 0, 0, 0, 0])?.owner == 100)
    #expect(futex(0, 2, memory: [2, 0, 100, 1, 0x80, 0, 0, 0, 0, 0])?.owner == 100)
    // Timed: the other operation.
    let timed = futex(128 | 256 | 9, 2, memory: [2, 0, 100, 1, 0, 0, 0, 0, 0, 0], timeout: 0x6000)
    #expect(timed?.owner == 100)
    #expect(timed?.isTimed == true)
    // Robust: the word names the holder.
    #expect(futex(128, 0x8000_0064, memory: [0x8000_0064, 0, 100, 1, 16, 0, 0, 0, 0, 0])?.owner == 100)
  }

  @Test(
    arguments: [
      ("the word has changed", 2, [1, 0, 100, 1, 0, 0, 0, 0, 0, 0]),
      ("a condition", 7, [7, 0, 100, 1, 0, 0, 0, 0, 0, 0]),
      ("nobody's", 2, [2, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
      ("another process's", 2, [2, 0, 99, 1, 0, 0, 0, 0, 0, 0]),
      ("a negative holder", 2, [2, 0, 0xFFFF_FF9C, 1, 0, 0, 0, 0, 0, 0]),
      ("without users", 2, [2, 0, 100, 0, 0, 0, 0, 0, 0, 0]),
      ("with too many users", 2, [2, 0, 100, 0x7FFF_FFFF, 0, 0, 0, 0, 0, 0]),
      ("an unknown kind", 2, [2, 0, 100, 1, 0xF00D, 0, 0, 0, 0, 0]),
      ("recursive, never locked", 2, [2, 0, 100, 1, 1, 0, 0, 0, 0, 0]),
      ("plain, locked again", 2, [2, 1, 100, 1, 0, 0, 0, 0, 0, 0]),
      ("the end of memory", 2, [2, 0, 100]),
      ("unreadable", 2, []),
    ] as [(String, UInt64, [UInt32])])
  func `what is no mutex has no holder`(what: String, expected: UInt64, memory: [UInt32]) {
    #expect(futex(128, expected, memory: memory) == WaitTarget(.futex, address: Self.address), "\(what)")
  }

  @Test func `a join waits for the end of the thread whose number is the word`() {
    #expect(futex(9 | 256, 101, memory: [101]) == WaitTarget(.threadEnd, address: Self.address, owner: 101))
    #expect(futex(9 | 256, 99, memory: [99])?.kind == .futex)
    // Where threads have small numbers, the word of a shared lock looks like one: here, thread 2's.
    let small = WaitReader(
      memory: WordMemory(start: 0x7000, words: [2, 0, 100, 1, 0x80, 0, 0, 0, 0, 0]),
      isOwnThread: { [2, 100].contains($0) }, descriptorLink: { _ in nil })
    #expect(small.target(of: call(202, [0x7000, 0, 2])) == WaitTarget(.mutex, address: 0x7000, owner: 100))
    // A private word that happens to be a number is none.
    #expect(futex(128 | 9, 101, memory: [101])?.kind == .futex)
  }

  @Test func `a lock for readers and writers names the writer`() {
    // readers, writers, phase, writers' word, unused, unused, writer, shared: a reader waits for the phase.
    let held: [UInt32] = [0b011, 0, 3, 1, 0, 0, 100, 0, 0, 0]
    let reader = WaitReader(
      memory: WordMemory(start: 0x7000, words: held), isOwnThread: { Self.living.contains($0) },
      descriptorLink: { _ in nil })
    #expect(
      reader.target(of: call(202, [0x7008, 128 | 9, 3])) == WaitTarget(.rwlock, address: 0x7000, owner: 100))
    // Held by readers.
    let read = WaitReader(
      memory: WordMemory(start: 0x7000, words: [0b1010, 1, 0, 3, 0, 0, 0, 0, 0, 0]),
      isOwnThread: { Self.living.contains($0) }, descriptorLink: { _ in nil })
    #expect(read.target(of: call(202, [0x700C, 128, 3]))?.owner == nil)
  }

  @Test(
    arguments: [
      (0, [5], "pipe:[123]", .pipe), (45, [5], "socket:[9]", .socket),
      (0, [5], "anon_inode:[eventfd]", .eventfd),
      (0, [5], "/home/someone/secret.txt", .file), (0, [5], "/dev/pts/3", .terminal),
      (0, [6], "pipe:[1]", .descriptors),
      (61, [77], nil, .child), (247, [1, 77], nil, .child), (73, [5], nil, .fileLock),
      (74, [5], nil, .storage),
      (35, [9, 9], nil, .sleep), (7, [0, 0, 400], nil, .sleep), (7, [0, 2, 400], nil, .descriptors),
      (232, [4], nil, .epoll), (23, [0], nil, .sleep), (128, [1], nil, .signal), (9, [], nil, .memory),
    ] as [(Int64, [UInt64], String?, WaitTarget.Kind)])
  func `other waits by their call`(number: Int64, arguments: [UInt64], link: String?, kind: WaitTarget.Kind) {
    #expect(target(number, arguments, link: link)?.kind == kind)
  }

  @Test func `poll for one descriptor is a wait for that`() {
    #expect(target(7, [Self.address, 1, 400], memory: [5, 1], link: "socket:[1]")?.kind == .socket)
    #expect(target(7, [Self.address, 1, 400], memory: [6, 1], link: "socket:[1]")?.kind == .descriptors)
    #expect(target(7, [0, 1, 400], memory: [])?.kind == .descriptors)
  }

  @Test func `whatever memory holds, a holder is a living thread or none`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let likely: [UInt32] = [0, 1, 2, 3, 16, 100, 101, 99, 0x8000_0064, 0x102, .max]
    for _ in 0..<3000 {
      let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Bool.random(using: &random)
          ? likely.randomElement(using: &random)! : UInt32.random(in: 0 ... .max, using: &random)
      }
      let operation = [0, 6, 9, 11, 13, 128, 134, 137, 265, 393].randomElement(using: &random)! as UInt64
      let expected = Bool.random(using: &random) ? UInt64(words.first ?? 0) : random.next()
      let address = Self.address + UInt64.random(in: 0...12, using: &random)
      let found = target(202, [address, operation, expected], memory: words)
      #expect(found?.owner.map { Self.living.contains($0) } ?? true, "seed \(seed)")
    }
  }
}

/// Memory that is a few words.
private final class WordMemory: MemoryReader {
  private let start: UInt64
  private let content: [UInt8]

  init(start: UInt64, words: [UInt32]) {
    self.start = start
    content = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
  }

  func bytes(at address: UInt64, count: Int) -> [UInt8] {
    guard address >= start, address - start < UInt64(content.count) else { return [] }
    return Array(content.dropFirst(Int(address - start)).prefix(count))
  }
}
