import LinuxKernel

/// Which loop's thread waits for which other loop, so that nobody closes a circle of waiting.
///
/// A thread waits for one loop at a time, and a thread without a loop cannot be waited for: what is kept is one arrow
/// a loop at most.
enum WaitingLoops {
  private struct Arrows {
    var targets: [ObjectIdentifier: (loop: ObjectIdentifier, wait: UInt64)] = [:]
    var waitsBegun: UInt64 = 0
  }

  /// Makes the table, if nobody has waited yet.
  static func make() { _ = arrows }

  private static let arrows = Locked(Arrows()).heldAcrossForks()

  /// Notes that the calling thread is about to wait for `loop`.
  ///
  /// - Returns: nil if that loop waits, through however many others, for the loop of this thread.
  static func begin(for loop: RunLoop) -> LoopWait? {
    guard let own = ThreadLoops.loopOthersMayWaitFor else { return LoopWait(of: nil, number: 0) }
    let (waiter, target) = (ObjectIdentifier(own), ObjectIdentifier(loop))
    return arrows.withLock { arrows in
      var reached = target
      // Without a circle among them, arrows lead somewhere else each time.
      while reached != waiter {
        guard let next = arrows.targets[reached] else {
          arrows.waitsBegun += 1
          arrows.targets[waiter] = (target, arrows.waitsBegun)
          return LoopWait(of: waiter, number: arrows.waitsBegun)
        }
        reached = next.loop
      }
      return nil
    }
  }

  fileprivate static func end(of waiter: ObjectIdentifier, number: UInt64) {
    arrows.withLock { arrows in
      if arrows.targets[waiter]?.wait == number { arrows.targets[waiter] = nil }
    }
  }
}

/// One wait of a loop's thread for another loop.
///
/// It is ended by who answers, before the waiter is woken: from the answer on the other may wait for the waiter's loop.
final class LoopWait: Sendable {
  private let waiter: ObjectIdentifier?
  private let number: UInt64

  fileprivate init(of waiter: ObjectIdentifier?, number: UInt64) {
    self.waiter = waiter
    self.number = number
  }

  /// Any thread, more than once.
  func end() { if let waiter { WaitingLoops.end(of: waiter, number: number) } }
}
