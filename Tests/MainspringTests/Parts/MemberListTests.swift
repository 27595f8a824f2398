@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct MemberListTests {
  @Test(arguments: [RunLoop.Mode.default, .common])
  func `M25: random coming and going keeps the order of coming, at any number`(mode: RunLoop.Mode) {
    var random = SeededRandom()
    var list = MemberList(keepsSequences: mode == .common)
    var model: [(item: RunLoop.Item, sequence: UInt64)] = []
    for step in 0..<5000 {
      let isGrowing = step / 500 % 2 == 0
      if model.isEmpty || Int.random(in: 0..<10, using: &random) < (isGrowing ? 7 : 2) {
        let item = RunLoop.Source { _ in }
        item.insertMembership(mode, index: list.endIndex)
        list.append(item, sequence: UInt64(step))
        model.append((item, UInt64(step)))
      } else {
        let gone = model.remove(at: Int.random(in: 0..<model.count, using: &random)).item
        list.remove(at: gone.index(in: mode), of: mode)
        gone.removeMembership(mode)
      }
      #expect(holds(list.endIndex <= 2 * max(32, list.count)), "gaps do not pile up")
      guard step.isMultiple(of: 97) else { continue }
      #expect(list.count == model.count, "seed \(random.seed), step \(step)")
      #expect(list.inOrder.elementsEqual(model.map(\.item), by: ===), "seed \(random.seed), step \(step)")
      guard mode == .common else { continue }
      #expect(
        model.allSatisfy { list.sequence(at: $0.item.index(in: mode)) == $0.sequence },
        "seed \(random.seed), step \(step)")
    }
  }

  @Test func `M25: an item that leaves one of its modes keeps its place in the others`() {
    let virtual = VirtualRunLoop()
    let loop = virtual.loop
    let modes: [RunLoop.Mode] = ["a", "b", "c"]
    for left in modes {
      // In each mode it stands behind others, of another number.
      var others: [RunLoop.Item] = []
      for (index, mode) in modes.enumerated() {
        for _ in 0...index * 2 {
          others.append(RunLoop.Source { _ in })
          loop.add(others.last!, to: mode)
        }
      }
      let timer = RunLoop.Timer(after: .seconds(1)) { _ in }
      for mode in modes { loop.add(timer, to: mode) }
      loop.remove(timer, from: left)
      for mode in modes where mode != left {
        loop.remove(timer, from: mode)
        #expect(loop.contents(of: mode).timers == 0, "left \(left), then \(mode)")
      }
      for (index, mode) in modes.enumerated() {
        #expect(loop.contents(of: mode).sources == index * 2 + 1, "left \(left)")
      }
      for other in others { other.invalidate() }
    }
  }
}
