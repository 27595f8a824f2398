import Mainspring
import MainspringPorts
import Testing

@Suite struct PeerDeliveriesTests {
  @Test func `M30: a task takes a peer's messages, of which no more are read than there is room for`()
    async throws
  {
    let pair = try RunLoop.PortEnd.makePair()
    let sender = TextPort(pair.one, capacity: 1) { _, _ in }
    let receiver = TextPort(pair.other, buffering: 4)
    let host = LoopHost { loop in
      try loop.add(sender, to: .default)
      try loop.add(receiver, to: .default)
    }
    // Until neither buffer, nor the kernel, nor the sender has room for more.
    let text = String(repeating: "x", count: 900)
    var sentCount = 0
    func sendNow() -> Bool { sender.send("\(sentCount) \(text)").isSent }
    while sentCount < 5000, sendNow() { sentCount += 1 }
    #expect(sentCount < 5000)
    var taken = 0
    for await delivery in receiver.deliveries {
      #expect(delivery.message.hasPrefix("\(taken) "))
      taken += 1
      if taken == sentCount { sender.close() }
    }
    #expect(taken == sentCount)
    #expect(receiver.deliveries.closing?.reason == .closed)
    host.end()
  }

  @Test func `M30: the messages of a port end with the task, or with the port`() async throws {
    let pair = try RunLoop.PortEnd.makePair()
    let receiver = TextPort(pair.other, buffering: 1)
    let task = Task {
      for await _ in receiver.deliveries { Issue.record("nothing was sent") }
      return true
    }
    task.cancel()
    #expect(await task.value)
    let other = Task {
      for await _ in receiver.deliveries { Issue.record("nothing was sent") }
      return true
    }
    receiver.invalidate()
    #expect(await other.value)
    #expect(receiver.deliveries.closing == nil)
    _ = consume pair.one
  }

  @Test func `M30: what is refused does not end a task's messages`() async throws {
    let refused = Record<String>()
    let pair = try RunLoop.PortEnd.makePair()
    let sender = RunLoop.PeerPort<[UInt8], [UInt8]>(pair.one, coding: .bytes) { _, _ in }
    let receiver = TextPort(
      pair.other, buffering: 2, onRefusal: { _, refusal in refused.add("\(refusal)") })
    let host = LoopHost { loop in try loop.add(receiver, to: .default) }
    for bytes: [UInt8] in [[0x61, 0x61], [0xff], [0x61, 0x62]] { _ = try await sender.send(bytes) }
    sender.invalidate()
    var texts: [String] = []
    for await delivery in receiver.deliveries { texts.append(delivery.message) }
    #expect(texts == ["a", "b"])
    #expect(refused.count == 1)
    host.end()
  }
}
