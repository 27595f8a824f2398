import Glibc
import LinuxKernel
import Mainspring
import MainspringPorts
import Testing

@Suite struct PeerPortTests {
  struct Order: Codable, Sendable, Equatable {
    var id: UInt64
    var parts: [String: [UInt8]]
    var note: String?
  }

  @Test func `M30: typed messages go both ways between peers, in the order of sending`() throws {
    try CountingPoller.withLoop { loop, _ in
      let pair = try RunLoop.PortEnd.makePair()
      let (orders, answers) = (Record<Order>(), Record<Int>())
      let worker = RunLoop.PeerPort<Int, Order>(pair.other) { port, event in
        guard case .message(let delivery) = event else { return }
        orders.add(delivery.message)
        port.send(Int(delivery.message.id))
      }
      let boss = RunLoop.PeerPort<Order, Int>(pair.one) { _, event in
        guard case .message(let delivery) = event else { return }
        answers.add(delivery.message)
        if answers.count == 20 { RunLoop.current.stop() }
      }
      try loop.add(worker, to: .default)
      try loop.add(boss, to: .default)
      let sent = (0..<20).map { Order(id: $0, parts: ["a": [1, 2, 3]], note: $0 == 3 ? "three" : nil) }
      for order in sent { #expect(boss.send(order).isSent) }
      #expect(loop.run().reason == .stopped)
      #expect(orders.all == sent)
      #expect(answers.all == Array(0..<20))
    }
  }

  @Test func `M30: a message of a peer is one callout, and one in another mode waits`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      for text in ["a", "b", "c"] { stage.writeMessage(text) }
      loop.turn(in: "other")
      #expect(stage.seen.isEmpty)
      loop.turn()
      #expect(stage.seen.all == ["a"])
      loop.turn()
      loop.turn()
      #expect(stage.seen.all == ["a", "b", "c"])
    }
  }

  @Test func `M30: each message says who sent it`() throws {
    try CountingPoller.withLoop { loop, _ in
      let pair = try RunLoop.PortEnd.makePair()
      #expect(pair.one.peer == RunLoop.PortPeer())
      let seen = Record<RunLoop.PortPeer>()
      let one = TextPort(pair.one) { _, _ in }
      let other = TextPort(pair.other) { _, event in
        if case .message(let delivery) = event { seen.add(delivery.sender) }
      }
      try loop.add(one, to: .default)
      try loop.add(other, to: .default)
      one.send("who am I")
      loop.turn()
      #expect(seen.all == [RunLoop.PortPeer()])
      #expect(seen.all.first?.process == getpid() && seen.all.first?.user == getuid())
    }
  }

  @Test func `M30: a peer that is not admitted is refused, message by message`() throws {
    try CountingPoller.withLoop { loop, _ in
      let admits = Box(false)
      let stage = try PeerStage(loop, admitted: .init { _ in admits.value! })
      stage.writeMessage("first")
      stage.writeMessage("second")
      loop.turn()
      admits.value = true
      loop.turn()
      #expect(stage.seen.all == ["refused: \(RunLoop.PortPeer()) is not admitted", "second"])
    }
  }

  @Test func `M30: closing delivers what was sent, and then says that it was closed`() throws {
    try CountingPoller.withLoop { loop, _ in
      let pair = try RunLoop.PortEnd.makePair()
      let seen = Record<String>()
      let one = TextPort(pair.one) { _, _ in }
      let other = TextPort(pair.other) { port, event in
        seen.note(event)
        if case .closed = event { #expect(!port.isValid) }
      }
      try loop.add(one, to: .default)
      try loop.add(other, to: .default)
      one.send("a")
      one.send("b")
      one.close()
      #expect(!one.isValid)
      #expect(one.send("c").isClosed)
      #expect(loop.run().reason == .finished)
      #expect(seen.all == ["a", "b", "closed: closed, 0 unsent"])
    }
  }

  @Test func `M30: an end that is dropped is told as gone, after what it had sent`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      stage.writeMessage("last words")
      // What it leaves unread makes the kernel speak of a reset.
      for _ in 0..<3 { stage.port.send("unread") }
      stage.hangUp()
      #expect(loop.run().reason == .finished)
      #expect(stage.seen.all == ["last words", "closed: gone, 0 unsent"])
      #expect(stage.port.send("too late").isClosed)
    }
  }

  @Test func `M30: a peer that sends no more but still reads is told as gone`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      stage.writeMessage("a")
      shutdown(stage.number, CInt(SHUT_WR))
      #expect(loop.run().reason == .finished)
      #expect(stage.seen.all == ["a", "closed: gone, 0 unsent"])
    }
  }

  @Test func `M30: a port that is invalid lets go of its end, though it is kept`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      stage.port.invalidate()
      loop.turn()
      #expect(stage.read()?.first == 1, "the hello")
      #expect(stage.read() == [], "the end")
      #expect(throws: RunLoop.DescriptorError.invalidated) { try loop.add(stage.port, to: .default) }
    }
  }

  @Test func `M30: any thread sends, and wakes the peer's loop`() throws {
    let pair = try RunLoop.PortEnd.makePair()
    let (seen, done) = (Record<String>(), Gate())
    let port = TextPort(pair.other) { _, event in
      seen.note(event)
      if seen.count == 400 { done.open() }
    }
    let host = LoopHost { loop in try loop.add(port, to: .common) }
    let sender = TextPort(pair.one, capacity: 400) { _, _ in }
    let senderHost = LoopHost { loop in try loop.add(sender, to: .common) }
    let threads = (0..<4).map { thread in
      TestThread { for number in 0..<100 { #expect(sender.send("\(thread) \(number)").isSent) } }
    }
    for thread in threads { thread.join() }
    done.pass()
    host.end()
    senderHost.end()
    for thread in 0..<4 {
      #expect(seen.all.filter { $0.hasPrefix("\(thread) ") } == (0..<100).map { "\(thread) \($0)" })
    }
  }

  @Test(arguments: [0, 1023, 262_145])
  func `M30: a size limit that a port cannot have traps`(limit: Int) async {
    await #expect(processExitsWith: .failure) { [limit] in
      let pair = try RunLoop.PortEnd.makePair()
      _ = TextPort(pair.one, sizeLimit: limit) { _, _ in }
    }
  }
}

extension RunLoop.PeerPort.SendResult {
  var isSent: Bool { if case .sent = self { true } else { false } }
  var isFull: Bool { if case .full = self { true } else { false } }
  var isClosed: Bool { if case .closed = self { true } else { false } }
}
