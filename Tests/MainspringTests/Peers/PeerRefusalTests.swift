import Glibc
import LinuxKernel
import Mainspring
import MainspringPorts
import MainspringTesting
import Testing

@Suite struct PeerRefusalTests {
  @Test func `M30: each hostile packet is refused by its name, and loses no message`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop, sizeLimit: 2000)
      stage.writeMessage("before")
      stage.write([])
      stage.write([1])
      stage.write([9, 1, 0x61, 0x61])
      stage.write([1, 7])
      stage.write([1, 0, 0, 0])
      stage.write([1, 2, 0])
      stage.write([1, 1] + [UInt8](repeating: 0, count: 2001))
      stage.write([1, 1] + [UInt8](repeating: 0, count: 100_000))
      stage.write([1, 1, 5])
      stage.write([1, 1, 0x61])
      stage.writeMessage("between")
      stage.write([1, 0, 0, 0, 16, 0])
      stage.write([1, 0, 0, 0, 16, 0])
      stage.write([1, 2], passing: [0])
      stage.writeMessage("after")
      stage.hangUp()
      #expect(loop.run().reason == .finished)
      let cbor = "the message ends"
      #expect(
        stage.seen.all.map { $0.contains(cbor) ? cbor : $0 }
          == [
            "before",
            "refused: a packet of 0 bytes says nothing",
            "refused: a packet of 1 bytes says nothing",
            "refused: a packet of version 9; this side speaks 1",
            "refused: a packet of kind 7 that is none",
            "refused: a packet of kind 0 that is none",
            "refused: a packet of kind 2 that is none",
            "refused: a packet of 2001 bytes, of which 2000 are taken",
            "refused: a packet of 100000 bytes, of which 2000 are taken",
            stage.seen.all[9], stage.seen.all[10],
            "between",
            "refused: a second hello",
            "refused: a packet of kind 2 that is none",
            "after", "closed: gone, 0 unsent",
          ].map { $0.contains(cbor) ? cbor : $0 })
      #expect(stage.seen.all[9].hasPrefix("refused: no message: "))
      #expect(stage.seen.all[10].hasPrefix("refused: no message: "))
    }
  }

  @Test func `M30: more descriptors than a message may bring are closed, and the message refused`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      // Past our own call, which sends no more than that.
      stage.writeWithoutLimit([1, 1, 0x61, 0x61], descriptorCount: 40)
      stage.writeMessage("a", passing: [CInt](repeating: 0, count: 16))
      stage.hangUp()
      loop.run()
      #expect(
        stage.seen.all == [
          "refused: more descriptors than can be taken", "a", "closed: gone, 0 unsent",
        ])
    }
  }

  @Test func `M30: no packets of whatever bytes trap, and messages between them come`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("packets: seed \(seed)")
    var random = SeededRandom(seed: seed)
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop, sizeLimit: 4096)
      for round in 0..<200 {
        stage.seen.clear()
        for _ in 0..<5 {
          var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
            UInt8(truncatingIfNeeded: random.next())
          }
          // Not a goodbye, which would be believed; and most are to come as far as the coding.
          if bytes.count > 1 { (bytes[0], bytes[1]) = (1, 1) }
          let count = Int.random(in: 0...3, using: &random)
          #expect(stage.write(bytes, passing: [CInt](repeating: 0, count: count)))
        }
        stage.writeMessage("\(round)")
        while stage.seen.all.last != "\(round)" { loop.turn() }
        #expect(stage.seen.count == 6)
      }
      #expect(stage.port.isValid)
      stage.hangUp()
      loop.run()
    }
  }
}
