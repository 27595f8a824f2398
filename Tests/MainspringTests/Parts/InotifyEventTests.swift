import LinuxKernel
import MainspringTesting
import Testing

@Suite struct InotifyEventTests {
  private func bytes(_ words: UInt32..., name: [UInt8] = []) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word.littleEndian >> (8 * $0)) } } + name
  }

  private func parse(_ bytes: [UInt8]) -> [InotifyEvent] { InotifyEvent.parse(bytes[...]) }

  @Test func `M31: changes are taken apart, names without what fills them up`() {
    let two = bytes(7, 2, 0, 0) + bytes(UInt32.max, 256, 9, 8, name: [0x61, 0x62, 0, 0, 0, 0, 0, 0])
    #expect(
      parse(two) == [
        InotifyEvent(watch: 7, bits: 2), InotifyEvent(watch: -1, bits: 256, cookie: 9, name: [0x61, 0x62]),
      ])
  }

  @Test func `M31: what is cut short ends it`() {
    let whole = bytes(1, 2, 3, 4, name: [0x61, 0x62, 0x63, 0x64])
    for count in whole.indices { #expect(parse(Array(whole.prefix(count))).isEmpty) }
    #expect(parse(whole).first?.name == [0x61, 0x62, 0x63, 0x64])
    #expect(parse(bytes(1, 2, 3, UInt32.max, name: [0x61])).isEmpty, "a name longer than the answer")
  }

  @Test func `M31: no bytes whatever are read beyond their end`() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      let count = Int.random(in: 0...200, using: &random)
      var hostile = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      // Lengths that are nearly right lead further than any others.
      for place in stride(from: 12, to: count - 4, by: 16) where Bool.random(using: &random) {
        hostile[place] = UInt8.random(in: 0...32, using: &random)
        for upper in 1...3 { hostile[place + upper] = 0 }
      }
      let events = parse(hostile)
      #expect(
        events.allSatisfy { !$0.name.contains(0) } && events.count <= count / 16, "seed \(random.seed)")
    }
  }
}
