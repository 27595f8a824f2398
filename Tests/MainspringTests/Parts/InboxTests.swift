@testable import Mainspring
import MainspringTesting
import Synchronization
import Testing

@Suite struct InboxTests {
  /// An entry that carries a number, in its site.
  private func entry(_ number: Int) -> InboxEntry {
    InboxEntry(
      site: CallSite(fileAddress: UInt(number), line: 0), content: .change { _ in })
  }

  private func takeOne(_ inbox: borrowing Inbox, _ mayTakeMore: inout Bool) -> Int? {
    guard let entry = inbox.next(mayTakeMore: &mayTakeMore) else { return nil }
    return Int(entry.site.fileAddress)
  }

  private func drain(_ inbox: borrowing Inbox) -> [Int] {
    var numbers: [Int] = []
    var mayTakeMore = true
    while let entry = inbox.next(mayTakeMore: &mayTakeMore) { numbers.append(Int(entry.site.fileAddress)) }
    return numbers
  }

  @Test func `first in, first out, and empty afterwards`() {
    let inbox = Inbox()
    #expect(holds(inbox.isEmpty && inbox.seemsEmpty))
    for number in 0..<200 { #expect(holds(inbox.post(entry(number)))) }
    #expect(holds(!inbox.isEmpty && !inbox.seemsEmpty))
    #expect(holds(drain(inbox) == Array(0..<200)))
    #expect(holds(inbox.isEmpty && inbox.seemsEmpty))
  }

  @Test func `one look takes one swap: what comes during it waits for the next`() {
    let inbox = Inbox()
    for number in 0..<3 { _ = inbox.post(entry(number)) }
    var mayTakeMore = true
    var seen: [Int] = []
    while let taken = inbox.next(mayTakeMore: &mayTakeMore) {
      seen.append(Int(taken.site.fileAddress))
      _ = inbox.post(entry(seen.count + 9))
    }
    #expect(seen == [0, 1, 2])
    #expect(holds(drain(inbox) == [10, 11, 12]))
  }

  @Test func `a look inside the handling of an entry goes on in order, and the outer one finds nothing left`()
  {
    let inbox = Inbox()
    for number in 0..<4 { _ = inbox.post(entry(number)) }
    var mayTakeMore = true
    let first = takeOne(inbox, &mayTakeMore)
    #expect(first == 0)
    _ = inbox.post(entry(4))
    #expect(holds(!inbox.isEmpty))
    #expect(holds(drain(inbox) == [1, 2, 3, 4]))
    let last = takeOne(inbox, &mayTakeMore)
    #expect(last == nil)
  }

  @Test func `closed, it refuses, and gives up what waits, once`() {
    let inbox = Inbox()
    for number in 0..<3 { _ = inbox.post(entry(number)) }
    var mayTakeMore = true
    _ = inbox.next(mayTakeMore: &mayTakeMore)
    _ = inbox.post(entry(3))
    var given: [Int] = []
    inbox.close { given.append(Int($0.site.fileAddress)) }
    #expect(given == [1, 2, 3])
    #expect(holds(!inbox.post(entry(4))))
    #expect(holds(inbox.isEmpty))
  }

  @Test func `what waits is released with the inbox, also what was swapped and not handled`() {
    let flags = (0..<4).map { _ in ReleaseFlag() }
    func fill() {
      let inbox = Inbox()
      for (index, flag) in flags.enumerated() {
        let token = ReleaseToken(flag)
        _ = inbox.post(
          InboxEntry(site: .unknown, content: .block(.default, { token.touch() })))
        if index == 1 {
          var mayTakeMore = true
          _ = inbox.next(mayTakeMore: &mayTakeMore)
        }
      }
    }
    fill()
    #expect(flags.allSatisfy { $0.isRaised })
  }

  @Test func `from many threads nothing is lost, nothing comes twice, each one's order stays`() {
    final class Shared: Sendable {
      let inbox = Inbox()
      let finished = Atomic<Int>(0)
    }
    let shared = Shared()
    let (threadCount, count) = (3, 20_000)
    let threads = (0..<threadCount).map { thread in
      TestThread {
        for number in 0..<count {
          _ = shared.inbox.post(
            InboxEntry(
              site: CallSite(fileAddress: UInt(thread * count + number), line: 0),
              content: .change { _ in }))
        }
        shared.finished.wrappingAdd(1, ordering: .sequentiallyConsistent)
      }
    }
    var next = [Int](repeating: 0, count: threadCount)
    var isOver = false
    var wrong = 0
    while !isOver {
      isOver = shared.finished.load(ordering: .sequentiallyConsistent) == threadCount
      for number in drain(shared.inbox) {
        if number % count != next[number / count] { wrong += 1 }
        next[number / count] += 1
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong == 0)
    #expect(next == [Int](repeating: count, count: threadCount))
  }
}

@Suite struct PostOrderTests {
  @Test func `whom an entry concerns is asked when it can be seen already`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    var wasSeen = false
    // Asked before, an item that was attached meanwhile would concern nobody, and its loop would sleep on.
    loop.send(concerning: asked { wasSeen = !loop.inbox.isEmpty }) { _ in }
    #expect(wasSeen)
  }

  private func asked(_ note: () -> Void) -> ModeMask {
    note()
    return .none
  }
}
