import Foundation
import LinuxKernel
import Synchronization
import Testing

@testable import StallMonitor

/// Threads that really wait, for each other and for other things.
@Suite(.serialized, .answersSignals) struct WaitingThreadTests {
  let sampler: StackSampler
  let waits: WaitReader

  init() throws {
    sampler = try StackSampler()
    waits = WaitReader(memory: sampler.memory)
  }

  /// The chain from a thread on, once it has so many links and an end as it is looked for.
  private func chain(from thread: Int32, where isRight: (WaitChain) -> Bool) -> WaitChain {
    while true {
      let chain = WaitChain(from: thread, with: waits)
      if isRight(chain) { return chain }
      sched_yield()
    }
  }

  /// What a thread that sleeps waits for, once it is of this kind.
  private func target(of thread: Int32, _ kind: WaitTarget.Kind) -> WaitTarget {
    chain(from: thread) { $0.links.first?.target.kind == kind }.links[0].target
  }

  @Test func `a mutex of the C library names its holder`() {
    let lock = NSLock()
    lock.lock()
    let thread = TargetThread { lockingFunction(lock, $0) }
    defer { thread.finish { lock.unlock() } }
    let found = target(of: thread.number, .mutex)
    #expect(found.owner == ThreadIdentity.kernelNumber)
    #expect(found.isOwnerHint)
  }

  @Test func `a recursive mutex names its holder`() {
    let lock = NSRecursiveLock()
    lock.lock()
    lock.lock()
    let thread = TargetThread { control in
      control.arrive()
      lock.lock()
      lock.unlock()
    }
    defer {
      thread.finish {
        lock.unlock()
        lock.unlock()
      }
    }
    #expect(target(of: thread.number, .mutex).owner == ThreadIdentity.kernelNumber)
  }

  @Test func `a mutex of Swift's names its holder`() {
    let lock = SharedMutex()
    lock.value.withLock { _ in
      let thread = TargetThread { control in
        control.arrive()
        lock.value.withLock { $0 += 1 }
      }
      let found = target(of: thread.number, .priorityMutex)
      #expect(found.owner == ThreadIdentity.kernelNumber)
      #expect(!found.isOwnerHint)
      lock.latest.store(thread, ordering: .relaxed)
    }
    lock.latest.load()?.finish()
  }

  @Test(arguments: [false, true])
  func `a lock for readers and writers names its writer`(isReader: Bool) {
    let lock = ReaderWriterLock()
    lock.lockForWriting()
    let thread = TargetThread { control in
      control.arrive()
      if isReader { lock.lockForReading() } else { lock.lockForWriting() }
      lock.unlock()
    }
    defer { thread.finish { lock.unlock() } }
    #expect(target(of: thread.number, .rwlock).owner == ThreadIdentity.kernelNumber)
  }

  @Test func `who joins a thread waits for that thread`() throws {
    let pipe = Pipe()
    let number = ThreadNumber()
    let joined = try JoinableThread(named: "joined", stackBytes: nil, signals: .asStarter) {
      number.set(ThreadIdentity.kernelNumber)
      var byte: UInt8 = 0
      _ = unsafe read(pipe.fileHandleForReading.fileDescriptor, &byte, 1)
    }
    let thread = TargetThread { control in
      control.arrive()
      joined.join()
    }
    defer { thread.finish { pipe.fileHandleForWriting.write(Data([1])) } }
    let found = chain(from: thread.number) { $0.links.count == 2 && $0.links[1].target.kind == .pipe }
    #expect(found.links[0].target.kind == .threadEnd)
    #expect(found.threads == [thread.number, number.value])
  }

  @Test func `a pipe, a sleep and a semaphore have no holder`() {
    let pipe = Pipe()
    let reading = TargetThread { readingFunction(pipe.fileHandleForReading.fileDescriptor, $0) }
    #expect(target(of: reading.number, .pipe).owner == nil)
    reading.finish { pipe.fileHandleForWriting.write(Data([1])) }

    let semaphore = DispatchSemaphore(value: 0)
    let waiting = TargetThread { control in
      control.arrive()
      semaphore.wait()
    }
    #expect(target(of: waiting.number, .futex).owner == nil)
    waiting.finish { semaphore.signal() }
  }

  // MARK: deadlocks

  /// Threads that hold a lock each and want the next one's, in a circle.
  private func expectDeadlock(of count: Int) {
    let locks = (0..<count).map { _ in NSLock() }
    let allHold = Gate()
    let threads = (0..<count).map { index in
      TargetThread { control in
        locks[index].lock()
        control.arrive()
        allHold.wait()
        locks[(index + 1) % count].lock()
        // A normal lock may be given back by anybody: the first one was, by the test.
        for lock in [locks[index], locks[(index + 1) % count]] where !(lock === locks[0]) || count == 1 {
          lock.unlock()
        }
      }
    }
    allHold.open()
    let first = threads[0].number
    var watch = DeadlockWatch(distance: 1)
    var deadlock: [WaitChain.Link]?
    while deadlock == nil {
      deadlock = watch.note(WaitChain(from: first, with: waits), at: MonotonicClock.now())
    }
    #expect(Set(deadlock!.map(\.thread)) == Set(threads.map(\.number)))
    #expect(deadlock!.allSatisfy { $0.target.kind == .mutex })
    // Not one of the threads is in another's way any more.
    locks[0].unlock()
    for thread in threads { thread.finish() }
  }

  @Test func `two threads that want each other's lock are a deadlock`() { expectDeadlock(of: 2) }
  @Test func `three threads that want each other's locks are a deadlock`() { expectDeadlock(of: 3) }

  @Test func `a thread that wants its own lock again is a deadlock`() {
    let lock = NSLock()
    let thread = TargetThread { control in
      lock.lock()
      control.arrive()
      lock.lock()
      lock.unlock()
    }
    var watch = DeadlockWatch(distance: 1)
    var deadlock: [WaitChain.Link]?
    while deadlock == nil {
      deadlock = watch.note(WaitChain(from: thread.number, with: waits), at: MonotonicClock.now())
    }
    #expect(deadlock?.map(\.thread) == [thread.number])
    thread.finish { lock.unlock() }
  }

  @Test func `locks that change hands all the time are never a deadlock`() {
    let locks = [NSLock(), NSLock()]
    let threads = (0..<3).map { _ in
      TargetThread { control in
        control.arrive()
        // Always in one order.
        while !control.mustEnd {
          locks[0].lock()
          locks[1].lock()
          locks[1].unlock()
          locks[0].unlock()
        }
      }
    }
    var watch = DeadlockWatch(distance: 1)
    for _ in 0..<2000 {
      let chain = WaitChain(from: threads[0].number, with: waits)
      #expect(watch.note(chain, at: MonotonicClock.now()) == nil)
    }
    for thread in threads { thread.finish() }
  }
}

/// A mutex of Swift's that threads share.
private final class SharedMutex: Sendable {
  let value = Mutex(0)
  let latest = Latest()

  final class Latest: Sendable {
    private let thread = Locked<TargetThread?>(nil)
    func store(_ new: TargetThread, ordering: AtomicStoreOrdering) { thread.withLock { $0 = new } }
    func load() -> TargetThread? { thread.withLock { $0 } }
  }
}

/// The C library's lock for readers and writers.
@safe private final class ReaderWriterLock: @unchecked Sendable {
  // Sendable: the address of a lock, which is made for several threads.
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() { unsafe pthread_rwlock_init(lock, nil) }
  deinit { unsafe lock.deallocate() }

  func lockForReading() { unsafe pthread_rwlock_rdlock(lock) }
  func lockForWriting() { unsafe pthread_rwlock_wrlock(lock) }
  func unlock() { unsafe pthread_rwlock_unlock(lock) }
}
