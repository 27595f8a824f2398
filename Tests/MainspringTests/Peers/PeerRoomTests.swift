import Glibc
import LinuxKernel
import Mainspring
import MainspringPorts
import Testing

@Suite struct PeerRoomTests {
  /// As the other side would.
  private static let hello: [UInt8] = [1, 0, 0, 1, 0, 0]

  @Test func `M30: a peer that does not read fills the port, and the sender is told`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop, capacity: 3)
      stage.write(Self.hello)
      loop.turn()
      #expect(stage.port.peerSizeLimit == 65536)
      let text = String(repeating: "x", count: 20_000)
      var sentCount = 0
      while stage.port.send("\(sentCount) \(text)").isSent { sentCount += 1 }
      #expect(stage.port.send("one more").isFull)
      #expect(stage.port.waitingCount == 3)
      // All of them come, in their order, once the other side reads.
      #expect(stage.read() == [1, 0, 0, 1, 0, 0])
      for number in 0..<sentCount {
        var packet = stage.read()
        if packet == nil {
          loop.turn()
          packet = stage.read()
        }
        let begin = Array("\(number) x".utf8)
        #expect(packet?.dropFirst(5).prefix(begin.count) == begin[...])
      }
      loop.turn()
      #expect(stage.port.waitingCount == 0)
      #expect(stage.port.send("again").isSent)
    }
  }

  @Test func `M30: a long message waits until the peer has said what it takes, and a short one does not`()
    throws
  {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      #expect(stage.port.peerSizeLimit == nil)
      #expect(stage.port.send("short").isSent)
      #expect(stage.port.waitingCount == 0)
      #expect(stage.port.send(String(repeating: "x", count: 2000)).isSent)
      #expect(stage.port.send(String(repeating: "y", count: 5000)).isSent)
      #expect(stage.port.send("last").isSent)
      #expect(stage.port.waitingCount == 3)
      stage.write([1, 0, 0, 0, 0x0f, 0xff])
      loop.turn()
      loop.turn()
      #expect(stage.port.waitingCount == 0)
      #expect(stage.seen.all == ["refused: a message of 5003 bytes, of which the other side takes 4095"])
      #expect([6, 8, 2005, 7] == (0..<4).map { _ in stage.read()?.count })
      guard case .tooLarge(4103, 4095) = stage.port.send(String(repeating: "z", count: 4100)) else {
        Issue.record("a message that is too long is sent")
        return
      }
    }
  }

  @Test func `M30: a task waits for room, and is let go when there is some`() async throws {
    let pair = try RunLoop.PortEnd.makePair()
    let (read, done, full, all) = (Record<String>(), Gate(), Gate(), Gate())
    let sender = TextPort(pair.one, capacity: 2) { _, _ in }
    let host = LoopHost { loop in try loop.add(sender, to: .default) }
    let text = String(repeating: "x", count: 900)
    Task {
      for number in 0..<1000 {
        if sender.waitingCount == 2 { full.open() }
        let result = try await sender.send("\(number) \(text)")
        #expect(result.isSent)
      }
      done.open()
    }
    await full.passed()
    // Nobody reads until here.
    let reader = TextPort(pair.other) { _, event in
      if case .message(let delivery) = event { read.add(String(delivery.message.prefix { $0 != " " })) }
      if read.count == 1000 { all.open() }
    }
    let other = LoopHost { loop in try loop.add(reader, to: .default) }
    await done.passed()
    await all.passed()
    host.end()
    other.end()
    #expect(read.all == (0..<1000).map { "\($0)" })
  }

  @Test func `M30: a task that waits for room can be cancelled, and keeps its descriptors`() async throws {
    let pair = try RunLoop.PortEnd.makePair()
    let sender = TextPort(pair.one, capacity: 1) { _, _ in }
    // No loop reads the other's hello, so that a long message waits.
    let first = try await sender.send(String(repeating: "x", count: 2000))
    #expect(first.isSent)
    let passed = RunLoop.PassedDescriptors()
    passed.append(try .init(duplicating: 0))
    let task = Task { try await sender.send("second", passing: passed) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(passed.count == 1)
    let other = Task { try await sender.send("third") }
    sender.invalidate()
    let last = try await other.value
    #expect(last.isClosed)
    _ = consume pair.other
  }

  @Test func `M30: a task that waits for room is let go when the peer takes no more`() async throws {
    let pair = try RunLoop.PortEnd.makePair()
    let port = TextPort(pair.one, capacity: 1) { _, _ in }
    let other = pair.other.release().release()
    defer { close(other) }
    let host = LoopHost { loop in try loop.add(port, to: .default) }
    Self.fill(port)
    let task = Task { try await port.send("one more") }
    // It still sends, and reads what is there already; what is sent from here on is refused by the kernel.
    shutdown(other, CInt(SHUT_RD))
    var bytes = [UInt8](repeating: 0, count: 1024)
    // SAFETY: writes at most the array's length.
    while unsafe recv(other, &bytes, bytes.count, CInt(MSG_DONTWAIT)) > 0 {}
    let result = try await task.value
    #expect(result.isClosed)
    // Who closes the port now does not wait either.
    port.close()
    #expect(!port.isValid)
    host.end()
  }

  private static func fill(_ port: TextPort) {
    while port.send(String(repeating: "x", count: 900)).isSent {}
  }

  @Test func `M30: a descriptor that cannot be passed is refused, and the port goes on`() throws {
    try CountingPoller.withLoop { loop, _ in
      let stage = try PeerStage(loop)
      let passed = RunLoop.PassedDescriptors()
      passed.append(.init(adopting: 100_000))
      guard case .descriptorsRefused(EBADF) = stage.port.send("with one that is closed", passing: passed)
      else {
        Issue.record("a descriptor that is closed is passed")
        return
      }
      #expect(passed.count == 1)
      #expect(stage.port.send("next").isSent)
      #expect(stage.read()?.first == 1 && stage.read()?.suffix(4) == Array("next".utf8)[...])
    }
  }
}
