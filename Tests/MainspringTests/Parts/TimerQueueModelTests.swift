@testable import Mainspring
import MainspringTesting
import Testing

/// The timer queue against a list that is sorted by brute force.
@Suite struct TimerQueueModelTests {
  /// A queue, what should be in it, and links to put there.
  @safe private final class Pair {
    // SAFETY: the links are initialized and live as long as this object, and the queue is used by it alone.
    let queue: TimerQueue
    var model: [(due: UInt64, sequence: UInt64, link: Int)] = []
    let links: UnsafeMutablePointer<TimerLink>
    let linkCount: Int
    var sequence: UInt64 = 0
    var now: UInt64

    init(linkCount: Int, now: UInt64) {
      self.linkCount = linkCount
      self.now = now
      queue = TimerQueue(now: now)
      unsafe links = .allocate(capacity: linkCount)
      for index in 0..<linkCount { unsafe (links + index).initialize(to: TimerLink(due: .max)) }
    }

    deinit { unsafe links.deallocate() }

    func insert(_ link: Int, due: UInt64) {
      sequence += 1
      unsafe links[link].due = due
      unsafe queue.insert(links + link, sequence: sequence)
      model.append((due, sequence, link))
    }

    func remove(_ link: Int) {
      unsafe queue.remove(links + link)
      model.removeAll { $0.link == link }
    }

    func isArmed(_ link: Int) -> Bool { model.contains { $0.link == link } }

    /// Everything that is due, from both, in order.
    func fire() -> (queue: [Int], model: [Int]) {
      queue.advance(to: now)
      var fired: [Int] = []
      while let link = unsafe queue.firstDue(at: now) {
        unsafe queue.moveToBatch(link)
        fired.append(unsafe link - links)
      }
      let due = model.filter { $0.due <= now }.sorted { ($0.due, $0.sequence) < ($1.due, $1.sequence) }
      return (fired, due.map(\.link))
    }
  }

  /// A date from now on, near or far by magnitudes: nanoseconds to centuries, sometimes past.
  private func date(after now: UInt64, _ random: inout SeededRandom) -> UInt64 {
    let magnitude = UInt64.random(in: 0...63, using: &random)
    let distance = UInt64.random(in: 0...(UInt64.max >> (63 - magnitude)), using: &random)
    if Int.random(in: 0..<20, using: &random) == 0 { return now - min(now, distance) }
    let (sum, overflow) = now.addingReportingOverflow(distance)
    return overflow ? .max - 1 : min(sum, .max - 1)
  }

  @Test(arguments: 0..<8)
  func `M32, M38: random arming, cancelling and advancing fires what a sorted list would`(round: Int) {
    var random = SeededRandom(seed: round < 4 ? UInt64(round) : nil)
    let pair = Pair(linkCount: 300, now: UInt64.random(in: 0...(1 << 50), using: &random))
    for step in 0..<4000 {
      let link = Int.random(in: 0..<pair.linkCount, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4:
        if pair.isArmed(link) { pair.remove(link) }
        pair.insert(link, due: date(after: pair.now, &random))
      case 5, 6: pair.remove(link)
      case 7:
        // To the next date, which is what a sleeper would do.
        let expected = pair.model.map(\.due).min() ?? .max
        let found = pair.queue.nextWake()
        guard found == expected else {
          Issue.record("seed \(random.seed), step \(step): next is \(found), not \(expected)")
          return
        }
        if expected != .max { pair.now = max(pair.now, expected) }
      default:
        pair.now = max(pair.now, min(date(after: pair.now, &random), .max >> 1))
      }
      let bound = pair.queue.lowerBound
      let earliest = pair.model.map(\.due).min() ?? .max
      guard bound <= earliest else {
        Issue.record("seed \(random.seed), step \(step): the bound \(bound) is later than \(earliest)")
        return
      }
      guard step.isMultiple(of: 3) else { continue }
      let (fired, due) = pair.fire()
      guard fired == due else {
        Issue.record("seed \(random.seed), step \(step): fired \(fired), not \(due)")
        return
      }
      // Half of the batch is put back, as by a nested run; the rest is taken out for good.
      for (place, link) in fired.enumerated() {
        if place.isMultiple(of: 2) {
          unsafe pair.queue.remove(pair.links + link)
          pair.model.removeAll { $0.link == link }
        } else {
          unsafe pair.queue.moveFromBatch(pair.links + link)
        }
      }
      guard pair.queue.count == pair.model.count else {
        Issue.record("seed \(random.seed), step \(step): counts \(pair.queue.count), not \(pair.model.count)")
        return
      }
    }
    for link in 0..<pair.linkCount { pair.remove(link) }
    #expect(holds(pair.queue.count == 0))
    #expect(holds(pair.queue.nextWake() == .max))
  }

  @Test func `M32: the borders of the wheel's ticks and levels are no borders of time`() {
    let tick: UInt64 = 1 << 20
    for start in [UInt64(1), 63 * tick, 64 * tick - 1, 4096 * tick - 1, 1 << 44] {
      let distances = (0..<44).flatMap { shift -> [UInt64] in
        [(1 << UInt64(shift)) - 1, 1 << UInt64(shift), (1 << UInt64(shift)) + 1]
      }
      let pair = Pair(linkCount: distances.count, now: start)
      for (link, distance) in distances.enumerated() { pair.insert(link, due: start + distance) }
      while !pair.model.isEmpty {
        let next = pair.queue.nextWake()
        #expect(next == pair.model.map(\.due).min())
        pair.now = next - min(next, 1)
        #expect(pair.fire().queue == pair.fire().model)
        pair.now = next
        let (fired, due) = pair.fire()
        #expect(fired == due)
        for link in fired { pair.remove(link) }
        if fired.isEmpty { break }
      }
      #expect(holds(pair.queue.count == 0))
    }
  }

  @Test
  func `M38, M39: whichever timers of a slot are cancelled, the others fire, and the last leaves nothing`() {
    let tick: UInt64 = 1 << 20
    let count = 7
    for cancelled in 0..<(1 << count) {
      let pair = Pair(linkCount: count, now: 1)
      for link in 0..<count { pair.insert(link, due: 1000 * tick + UInt64(link)) }
      for link in 0..<count where cancelled >> link & 1 != 0 { pair.remove(link) }
      let expected = pair.model.map(\.due).min() ?? .max
      #expect(holds(pair.queue.lowerBound <= expected))
      #expect(holds(pair.queue.nextWake() == expected), "without \(cancelled)")
      pair.now = 1001 * tick
      let (fired, due) = pair.fire()
      #expect(fired == due, "without \(cancelled)")
    }
  }

  @Test func `M38: the heap alone keeps its order under random removal`() {
    var random = SeededRandom()
    var heap = TimerHeap()
    let count = 500
    let links = UnsafeMutablePointer<TimerLink>.allocate(capacity: count)
    defer { unsafe links.deallocate() }
    var model: [(due: UInt64, link: Int)] = []
    for index in 0..<count {
      unsafe (links + index).initialize(to: TimerLink(due: .max))
      let due = UInt64.random(in: 0..<50, using: &random)
      unsafe links[index].due = due
      unsafe links[index].sequence = UInt64(index)
      unsafe heap.insert(links + index)
      model.append((due, index))
    }
    model.shuffle(using: &random)
    for _ in 0..<count / 2 { unsafe heap.remove(links + model.removeLast().link) }
    model.sort { ($0.due, $0.link) < ($1.due, $1.link) }
    var drained: [Int] = []
    while let first = unsafe heap.first {
      drained.append(unsafe first - links)
      unsafe heap.remove(first)
    }
    #expect(drained == model.map(\.link), "seed \(random.seed)")
    #expect(holds(heap.isEmpty && heap.firstDue == .max))
  }
}
