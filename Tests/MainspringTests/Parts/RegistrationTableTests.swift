import LinuxKernel
@testable import Mainspring
import MainspringTesting
import Testing

@Suite struct RegistrationTableTests {
  @Test func `M29: random coming and going of sources leaves each number its own, in their order`() {
    var random = SeededRandom()
    var table = RegistrationTable()
    var model: [CInt: [RunLoop.DescriptorSource]] = [:]
    for _ in 0..<3000 {
      // Few small numbers, so that several sources meet on one, and some large ones.
      let number = CInt.random(in: 0..<8, using: &random) * (Bool.random(using: &random) ? 1 : 700)
      if Int.random(in: 0..<5, using: &random) < 3 || model[number, default: []].isEmpty {
        let source = RunLoop.DescriptorSource(number) { _, _ in }
        table.append(source, to: number)
        model[number, default: []].append(source)
      } else {
        let gone = model[number]!.remove(at: Int.random(in: 0..<model[number]!.count, using: &random))
        #expect(holds(table.remove(gone, from: number)))
        #expect(holds(!table.remove(gone, from: number)), "it is there once")
      }
      let present = model[number]!
      #expect(holds(table.sources(of: number).elementsEqual(present, by: ===)), "seed \(random.seed)")
      #expect(holds((unsafe table.onlySource(of: number) != nil) == (present.count == 1)))
    }
    let used = model.filter { !$0.value.isEmpty }.keys.sorted()
    #expect(holds(table.usedNumbers == used))
    #expect(holds(table.usedCount == used.count))
    for number in used { _ = table.removeAll(from: number) }
    #expect(holds(table.isEmpty))
  }

  @Test func `M29: a registration keeps its generation and every bit that can be asked for`() {
    let bits = [
      EpollBits.read, EpollBits.write, EpollBits.priority, EpollBits.peerHangUp, EpollBits.edgeTriggered,
      EpollBits.exclusive,
    ]
    var registration = RegistrationTable.Registration(generation: RegistrationTable.largestGeneration)
    #expect(registration.bits == 0)
    for choice in 0..<(1 << bits.count) {
      let asked = bits.indices.filter { choice >> $0 & 1 != 0 }.reduce(UInt32(0)) { $0 | bits[$1] }
      registration.bits = asked
      #expect(registration.bits == asked)
      #expect(registration.generation == RegistrationTable.largestGeneration)
    }
  }

  @Test func `M29: a number that was never used has nothing`() {
    let table = RegistrationTable()
    #expect(holds(table.sources(of: 9).isEmpty && table.sources(of: -1).isEmpty))
    #expect(holds(table[9] == RegistrationTable.Registration()))
  }
}
