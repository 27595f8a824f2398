@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct BlockQueueTests {
  private func block(_ sequence: UInt64) -> Block {
    Block(sequence: sequence, site: .unknown, body: .alone {})
  }

  @Test func `random filling and emptying is first in, first out`() {
    var random = SeededRandom()
    var queue = BlockQueue()
    var (next, expected): (UInt64, UInt64) = (0, 0)
    for _ in 0..<2000 {
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        queue.append(block(next))
        next += 1
      }
      for _ in 0..<Int.random(in: 0..<44, using: &random) where expected < next {
        #expect(holds(queue.firstSequence == expected), "seed \(random.seed)")
        let taken = queue.removeFirst()
        #expect(taken.sequence == expected, "seed \(random.seed)")
        expected += 1
      }
      #expect(holds(queue.liveCount == Int(next - expected)))
    }
    while queue.firstSequence != .max { _ = queue.removeFirst() }
    #expect(holds(queue.isEmpty))
  }

  @Test func `what a burst took is given back once it is done, and the queue goes on`() {
    var queue = BlockQueue()
    for burst in 0..<3 {
      for sequence in 0..<50_000 { queue.append(block(UInt64(burst * 50_000 + sequence))) }
      #expect(holds(queue.memoryCount >= 50_000))
      for sequence in 0..<50_000 {
        #expect(holds(queue.removeFirst().sequence == UInt64(burst * 50_000 + sequence)))
      }
      #expect(holds(queue.isEmpty && queue.memoryCount < 10_000))
    }
  }

  @Test func `blocks that ran elsewhere are skipped, wherever they stand`() {
    var queue = BlockQueue()
    let shared = (0..<4).map { _ in SharedBlock(modes: [.default, .tracking]) {} }
    for sequence in 0..<8 {
      if sequence.isMultiple(of: 2) {
        queue.append(
          Block(sequence: UInt64(sequence), site: .unknown, body: .shared(shared[sequence / 2], in: .default))
        )
      } else {
        queue.append(block(UInt64(sequence)))
      }
    }
    for place in [2, 0] {
      _ = shared[place].take()
      queue.noteTaken()
    }
    #expect(holds(queue.liveCount == 6))
    var seen: [UInt64] = []
    while queue.firstSequence != .max { seen.append(queue.removeFirst().sequence) }
    #expect(seen == [1, 2, 3, 5, 6, 7])
    #expect(holds(queue.isEmpty))
  }

  @Test func `blocks that ran elsewhere do not pile up behind one that never runs`() {
    var queue = BlockQueue()
    queue.append(block(0))
    for sequence in 1...10_000 {
      let shared = SharedBlock(modes: [.default, .tracking]) {}
      queue.append(Block(sequence: UInt64(sequence), site: .unknown, body: .shared(shared, in: .default)))
      _ = shared.take()
      queue.noteTaken()
      #expect(holds(queue.liveCount == 1))
    }
    #expect(holds(queue.heldCount < 100))
    #expect(holds(queue.removeFirst().sequence == 0))
    #expect(holds(queue.firstSequence == .max))
  }

  @Test func `what was not run is released with the queue`() {
    let flag = ReleaseFlag()
    func fill() {
      var queue = BlockQueue()
      let token = ReleaseToken(flag)
      queue.append(Block(sequence: 1, site: .unknown, body: .alone { token.touch() }))
    }
    fill()
    #expect(flag.isRaised)
  }
}
