/// Decides when a circle of waiting threads is a deadlock: once it has been seen twice, at some distance, and none of its
/// threads has run in between.
///
/// One look can mislead: the threads are looked at one after another, and a lock may have changed hands meanwhile.
package struct DeadlockWatch: Sendable {
  private let distance: UInt64
  private var candidate: (links: [WaitChain.Link], since: UInt64)?
  /// The threads of the deadlock, each waiting for the next, and the last one for the first.
  package private(set) var deadlock: [WaitChain.Link]?

  /// - Parameter distance: how far apart two looks must be at least, ns.
  package init(distance: UInt64) {
    precondition(distance > 0, "two looks at one moment are one look")
    self.distance = distance
  }

  /// Takes note of what was seen; gives back the deadlock, if there is one.
  @discardableResult
  package mutating func note(_ chain: WaitChain, at now: UInt64) -> [WaitChain.Link]? {
    deadlock = nil
    guard let links = Self.circle(of: chain) else {
      candidate = nil
      return nil
    }
    guard let seen = candidate, seen.links == links else {
      candidate = (links, now)
      return nil
    }
    if now >= seen.since, now - seen.since >= distance { deadlock = links }
    return deadlock
  }

  /// The circle, begun at its lowest thread: whichever of its threads is looked at. Nil if one of its waits ends by itself.
  private static func circle(of chain: WaitChain) -> [WaitChain.Link]? {
    guard let cycle = chain.cycle,
      let lowest = cycle.min(by: { chain.links[$0].thread < chain.links[$1].thread })
    else { return nil }
    let links = Array(chain.links[lowest..<cycle.upperBound] + chain.links[cycle.lowerBound..<lowest])
    return links.contains(where: \.target.isTimed) ? nil : links
  }
}
