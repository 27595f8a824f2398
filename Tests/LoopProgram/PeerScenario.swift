import Glibc
import LinuxKernel
import Mainspring
import MainspringPorts

/// The other side of a port: what a test's process speaks with, by its third descriptor.
enum PeerScenario {
  private typealias Port = RunLoop.PeerPort<String, String>

  private static func end() throws -> RunLoop.PortEnd { try .adopt(.init(adopting: 3)) }

  private static func serve(_ handler: @escaping @Sendable (RunLoop.PeerPort<String, String>, String) -> Void)
    throws
  {
    let port = Port(try end(), capacity: 4) { port, event in
      switch event {
      case .message(let delivery): handler(port, delivery.message)
      case .refused(let refusal): port.send("refused: \(refusal)")
      case .closed: RunLoop.current.stop()
      }
    }
    try RunLoop.current.add(port, to: .default)
    RunLoop.current.run()
  }

  /// Answers each message, and says at first who it is.
  static func echo() throws {
    try serve { port, message in
      if message == "who" { port.send("\(getpid()) \(getuid()) \(getgid())") }
      if message == "bye" {
        port.send("well then")
        return port.close()
      }
      port.send(message)
    }
  }

  /// Writes into the file that comes with each message, and passes back another.
  static func files() throws {
    let port = Port(try end()) { port, event in
      guard case .message(let delivery) = event else {
        RunLoop.current.stop()
        return
      }
      guard let file = delivery.descriptors.take() else { return }
      let bytes = Array(delivery.message.utf8)
      unsafe write(file.number, bytes, bytes.count)
      let back = RunLoop.PassedDescriptors()
      back.append(file)
      port.send("written", passing: back)
    }
    try RunLoop.current.add(port, to: .default)
    RunLoop.current.run()
  }

  /// Sends numbers without end, as fast as the other side reads, until it is killed.
  static func stream() throws {
    let end = try end()
    let thread = try RunLoopThread(named: "port")
    let port = Port(end) { _, _ in }
    try thread.loop.add(port, to: .default)
    let padding = String(repeating: "x", count: 100)
    Task {
      for number in 0... {
        guard case .sent = try await port.send("\(number) \(padding)") else { exit(0) }
      }
    }
    while true { pause() }
  }

  /// Listens at a path, says so, and answers whoever connects, until it is killed.
  static func listen(at path: String) throws {
    let listener = try RunLoop.PeerListener(at: .path(path)) { _, end in
      let port = Port(end) { port, event in
        if case .message(let delivery) = event { port.send(delivery.message) }
      }
      try! RunLoop.current.add(port, to: .default)
    }
    try RunLoop.current.add(listener, to: .default)
    tell("listening")
    RunLoop.current.run()
  }

  /// Connections, messages, refusals and descriptors, again and again: nothing of them is left.
  static func leaks() throws {
    let loop = RunLoop.current
    try round(on: loop)
    let before = openDescriptorCount()
    for _ in 0..<50 { try round(on: loop) }
    tell("left: \(openDescriptorCount() - before)")
  }

  private static func round(on loop: RunLoop) throws {
    let pair = try RunLoop.PortEnd.makePair()
    let one = Port(pair.one, capacity: 2) { _, _ in }
    let other = Port(pair.other) { port, event in
      guard case .message(let delivery) = event, delivery.message == "take" else { return }
      _ = delivery.descriptors.take()
    }
    try loop.add(one, to: .default)
    try loop.add(other, to: .default)
    for text in ["take", "leave", "take", "last"] {
      let passed = RunLoop.PassedDescriptors()
      for _ in 0..<3 { passed.append(try .init(duplicating: 0)) }
      one.send(text, passing: passed)
      // Not a text.
      send([1, 1, 7], passing: [0, 1, 2], to: one.descriptor)
      // Longer than is taken.
      send([1, 1] + [UInt8](repeating: 0, count: 70_000), passing: [0], to: one.descriptor)
    }
    one.close()
    loop.run()
    // Neither read nor sent, with what they pass.
    let unread = try RunLoop.PortEnd.makePair()
    let full = Port(unread.one, capacity: 2) { _, _ in }
    for _ in 0..<3 {
      let passed = RunLoop.PassedDescriptors()
      passed.append(try .init(duplicating: 0))
      full.send(String(repeating: "x", count: 2000), passing: passed)
      full.send("short", passing: passed)
    }
    full.invalidate()
    try listenOnce(on: loop)
  }

  private static func listenOnce(on loop: RunLoop) throws {
    let address = RunLoop.PortAddress.abstract("mainspring-leaks-\(getpid())")
    let listener = try RunLoop.PeerListener(at: address) { listener, end in
      _ = consume end
      listener.invalidate()
    }
    try loop.add(listener, to: .default)
    _ = try RunLoop.PortEnd.connect(to: address)
    loop.run()
  }

  private static func openDescriptorCount() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }

  private static func send(_ bytes: [UInt8], passing numbers: [CInt], to number: CInt) {
    try! PacketSocket.send(bytes, passing: numbers, to: number)
  }
}
