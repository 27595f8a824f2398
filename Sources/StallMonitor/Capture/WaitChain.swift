/// Who waits for whom, from one thread on: each waits for one other at most.
package struct WaitChain: Sendable, Equatable {
  /// A thread that waits, and what it was doing: enough to tell later whether it has run since.
  package struct Link: Sendable, Equatable {
    package var thread: Int32
    package var target: WaitTarget
    package var systemCall: SystemCall
    package var voluntarySwitches: UInt64

    package init(thread: Int32, target: WaitTarget, systemCall: SystemCall, voluntarySwitches: UInt64) {
      self.thread = thread
      self.target = target
      self.systemCall = systemCall
      self.voluntarySwitches = voluntarySwitches
    }
  }

  /// Each waits for the next one; the last one, for a thread that does not wait, for nobody known, or for one before it.
  package private(set) var links: [Link] = []
  /// The links that wait for each other in a circle, if the last one waits for one of them.
  package private(set) var cycle: Range<Int>?

  /// No chain is followed further.
  package static let linkCountMax = 64

  /// Follows the chain from a thread on.
  /// - Parameter link: what a thread waits for; nil if it does not wait.
  package init(from thread: Int32, link: (Int32) -> Link?) {
    var next: Int32? = thread
    while let thread = next, links.count < Self.linkCountMax {
      if let start = links.firstIndex(where: { $0.thread == thread }) {
        cycle = start..<links.count
        return
      }
      guard let link = link(thread) else { return }
      links.append(link)
      next = link.target.owner
    }
  }

  /// The threads that wait, in order.
  package var threads: [Int32] { links.map(\.thread) }

  /// The threads that all wait have a hand in it: those of the chain, and the one at its end that does not wait.
  package var concerned: [Int32] {
    guard cycle == nil, let last = links.last?.target.owner else { return threads }
    return threads + [last]
  }
}

extension WaitChain {
  /// Follows the chain from a thread of this process on. 10 to 20 µs a link; less if the thread is not in a lock.
  package init(from thread: Int32, with reader: WaitReader) {
    self.init(from: thread) { thread in
      let place = SystemCall(thread: thread)
      guard let target = reader.target(of: place) else { return nil }
      // Who waits for nobody known is the end: its switches are of no use.
      guard target.owner != nil else {
        return Link(thread: thread, target: target, systemCall: place, voluntarySwitches: 0)
      }
      guard let status = ThreadStatus(thread: thread), status.isAsleep else { return nil }
      return Link(
        thread: thread, target: target, systemCall: place, voluntarySwitches: status.voluntarySwitches)
    }
  }
}
