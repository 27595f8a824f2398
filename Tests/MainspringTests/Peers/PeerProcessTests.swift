import Glibc
import Foundation
import LinuxKernel
import MainspringPorts
import Testing

import class Mainspring.RunLoop

/// Ports whose other side is another process.
@Suite struct PeerProcessTests {
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("LoopProgram").path

  /// A process that does one of the program's scenarios with the other end of a port.
  private func start(_ scenario: String, _ handler: @escaping @Sendable (TextPort, TextPort.Event) -> Void)
    throws -> (
      Child, TextPort
    )
  {
    let pair = try RunLoop.PortEnd.makePair()
    let child = Child("exec '\(Self.program)' \(scenario)", passing: pair.other.number)
    // Or the child's end would not be noticed.
    _ = consume pair.other
    return (child, TextPort(pair.one, handler: handler))
  }

  @Test func `M30: a process answers, is known by the kernel's word, and says that it has closed`() throws {
    try CountingPoller.withLoop { loop, _ in
      let (seen, senders) = (Record<String>(), Record<RunLoop.PortPeer>())
      let (child, port) = try start("peer-echo") { _, event in
        if case .message(let delivery) = event { senders.add(delivery.sender) }
        seen.note(event)
      }
      try loop.add(port, to: .default)
      let long = String(repeating: "long ", count: 12_000)
      for text in ["who", "grüße", long, "bye"] { #expect(port.send(text).isSent) }
      #expect(loop.run().reason == .finished)
      let who = "\(child.process) \(getuid()) \(getgid())"
      #expect(seen.all == [who, "who", "grüße", long, "well then", "closed: closed, 0 unsent"])
      #expect(Set(senders.all.map(\.process)) == [child.process])
      #expect(child.reap() == 0)
    }
  }

  @Test func `M30: a descriptor that is passed can be used by the other process, and passed back`() throws {
    try CountingPoller.withLoop { loop, _ in
      let (pipe, seen, back) = (Pipe(), Record<String>(), Record<RunLoop.PassedDescriptors>())
      let (child, port) = try start("peer-files") { port, event in
        seen.note(event)
        guard case .message(let delivery) = event else { return }
        back.add(delivery.descriptors)
        port.close()
      }
      try loop.add(port, to: .default)
      let passed = RunLoop.PassedDescriptors()
      passed.append(try .init(duplicating: pipe.writeEnd))
      #expect(port.send("through the pipe", passing: passed).isSent)
      #expect(passed.count == 0)
      loop.run()
      #expect(seen.all == ["written"])
      var bytes = [UInt8](repeating: 0, count: 100)
      // SAFETY: reads at most the array's length into the array.
      let count = unsafe read(pipe.readEnd, &bytes, bytes.count)
      #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "through the pipe")
      guard let file = back.all.first?.take() else {
        Issue.record("nothing was passed back")
        return
      }
      #expect(fcntl(file.number, F_GETFD) == FD_CLOEXEC)
      pipe.fill()
      #expect(back.all.first?.count == 0)
      #expect(child.reap() == 0)
    }
  }

  @Test func `M30: a process that is killed in the middle is told as gone, after every whole message`() throws
  {
    try CountingPoller.withLoop { loop, _ in
      let (seen, victim) = (Record<String>(), Box<CInt>())
      let (child, port) = try start("peer-stream") { _, event in
        switch event {
        case .message(let delivery): seen.add(String(delivery.message.prefix { $0 != " " }))
        default: seen.note(event)
        }
        if seen.count == 500 { kill(victim.value!, SIGKILL) }
      }
      victim.value = child.process
      try loop.add(port, to: .default)
      #expect(loop.run().reason == .finished)
      #expect(seen.count > 500)
      #expect(seen.all.last == "closed: gone, 0 unsent")
      #expect(seen.all.dropLast() == (0..<seen.count - 1).map { "\($0)" }[...])
      #expect(child.reap() == SIGKILL)
    }
  }

  @Test func `M30: the end of a process wakes a loop that sleeps`() throws {
    let (seen, told) = (Record<String>(), Gate())
    let (child, port) = try start("peer-echo") { _, event in
      seen.note(event)
      if case .closed = event { told.open() }
    }
    let host = LoopHost { loop in try loop.add(port, to: .default) }
    kill(child.process, SIGKILL)
    told.pass()
    host.end()
    #expect(seen.all == ["closed: gone, 0 unsent"])
    child.reap()
  }

  @Test func `M30: what a killed listener has left is replaced, and one that lives is not`() throws {
    try CountingPoller.withLoop { loop, _ in
      let folder = TemporaryFolder()
      let path = folder["socket"]
      let first = Child("exec '\(Self.program)' peer-listener '\(path)'")
      #expect(first.heardSoon() == "listening")
      #expect(throws: RunLoop.PortError.addressInUse(.path(path))) {
        try RunLoop.PeerListener(at: .path(path)) { _, _ in }
      }
      let seen = Record<String>()
      let port = TextPort(try .connect(to: .path(path))) { port, event in
        seen.note(event)
        kill(first.process, SIGKILL)
      }
      try loop.add(port, to: .default)
      port.send("hello")
      loop.run()
      #expect(seen.all == ["hello", "closed: gone, 0 unsent"])
      first.reap()
      #expect(throws: RunLoop.PortError.nobodyListens(.path(path))) {
        _ = try RunLoop.PortEnd.connect(to: .path(path))
      }
      let second = try RunLoop.PeerListener(at: .path(path)) { _, _ in }
      _ = try RunLoop.PortEnd.connect(to: .path(path))
      second.invalidate()
    }
  }
}
