@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct ChunkQueueTests {
  /// A number that tells when it is freed.
  private struct Piece: ~Copyable {
    let number: Int
    let token: ReleaseToken?
  }

  @Test func `random filling and emptying is first in, first out, over the ends of chunks`() {
    var random = SeededRandom()
    var queue = ChunkQueue<Piece>()
    var (next, expected) = (0, 0)
    for round in 0..<400 {
      // Now and then so many that it takes several of the largest chunks, and then that it is empty.
      let most = round.isMultiple(of: 40) ? 8000 : 60
      for _ in 0..<Int.random(in: 0..<most, using: &random) {
        queue.append(Piece(number: next, token: nil))
        next += 1
      }
      for _ in 0..<Int.random(in: 0..<(round % 40 == 39 ? 20_000 : 66), using: &random) where expected < next
      {
        let first = unsafe queue.firstPlace().pointee.number
        #expect(first == expected, "seed \(random.seed)")
        #expect(queue.removeFirst().number == expected, "seed \(random.seed)")
        expected += 1
      }
      #expect(holds(queue.count == next - expected), "seed \(random.seed)")
    }
  }

  @Test func `what a burst took is given back but for a few chunks, and a small queue is small`() {
    var queue = ChunkQueue<Piece>()
    #expect(holds(queue.capacity == 0))
    queue.append(Piece(number: 0, token: nil))
    #expect(holds(queue.capacity < 100))
    for number in 1..<50_000 { queue.append(Piece(number: number, token: nil)) }
    #expect(holds(queue.capacity >= 50_000 && queue.capacity < 60_000))
    while holds(queue.count > 0) { _ = queue.removeFirst() }
    #expect(holds(queue.capacity < 5000))
  }

  @Test(arguments: [(0, 0), (10, 3), (16, 16), (17, 16), (5000, 0), (5000, 100), (5000, 4999)])
  func `what is left is released with the queue, and nothing else again`(_ appended: Int, _ removed: Int) {
    let flags = (0..<appended).map { _ in ReleaseFlag() }
    func fill() {
      var queue = ChunkQueue<Piece>()
      for number in 0..<appended {
        queue.append(Piece(number: number, token: ReleaseToken(flags[number])))
      }
      for _ in 0..<removed { _ = queue.removeFirst() }
      #expect(flags.count { $0.isRaised } == removed)
    }
    fill()
    #expect(flags.allSatisfy { $0.isRaised })
  }
}
