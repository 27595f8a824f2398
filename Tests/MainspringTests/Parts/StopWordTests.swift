@testable import Mainspring
import Testing

@Suite struct StopWordTests {
  @Test func `M7: random runs and stops end what a plain model says`() {
    var random = SeededModelRandom()
    for _ in 0..<200 {
      let word = StopWord()
      var stack: [(beginning: StopWord.Beginning, isStopped: Bool)] = []
      var (keptInnermost, keptAll, allStopped) = (false, false, false)
      for _ in 0..<200 {
        switch random.next(below: 5) {
        case 0, 1:
          let beginning = word.beginRun()
          let isOutermost = stack.isEmpty
          #expect(beginning.stops.all == (allStopped || (isOutermost && keptAll)))
          #expect(beginning.stops.innermost == (isOutermost && keptInnermost && !keptAll))
          if isOutermost { (keptInnermost, keptAll) = (false, false) }
          stack.append((beginning, false))
        case 2:
          guard let last = stack.popLast() else { continue }
          let met = word.endRun(last.beginning)
          #expect(met.innermost == last.isStopped)
          #expect(met.all == allStopped)
          if stack.isEmpty { allStopped = false }
        case 3:
          let isMet = word.stop(.innermost)
          #expect(isMet == !stack.isEmpty)
          if stack.isEmpty { keptInnermost = true } else { stack[stack.count - 1].isStopped = true }
        default:
          let isMet = word.stop(.all)
          #expect(isMet == !stack.isEmpty)
          if stack.isEmpty { keptAll = true } else { allStopped = true }
        }
        #expect(holds(word.depth == stack.count))
        #expect(holds(word.isStopped == (allStopped || (stack.last?.isStopped ?? false))))
        #expect(holds(word.isStoppedEntirely == allStopped))
        #expect(holds(word.isRunning == !stack.isEmpty))
      }
    }
  }

  @Test func `M7: passing over forgets the stop of the innermost run and no other`() {
    let word = StopWord()
    let outer = word.beginRun()
    _ = word.stop(.innermost)
    let inner = word.beginRun()
    #expect(holds(word.passOverStop() == false))
    _ = word.stop(.innermost)
    #expect(holds(word.passOverStop()))
    #expect(holds(word.passOverStop() == false))
    #expect(holds(word.endRun(inner).innermost == false))
    #expect(holds(word.endRun(outer).innermost))
  }

  @Test func `M7: a kept stop is cancelled once`() {
    let word = StopWord()
    #expect(holds(!word.cancelKept()))
    _ = word.stop(.all)
    #expect(holds(word.cancelKept()))
    #expect(holds(!word.cancelKept()))
    #expect(holds(word.beginRun().stops.all == false))
  }
}

/// A short sequence that is the same at every run: the model above is small enough for that.
private struct SeededModelRandom {
  private var state: UInt64 = 12345

  mutating func next(below bound: UInt64) -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) % bound
  }
}
