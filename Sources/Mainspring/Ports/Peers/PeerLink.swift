import LinuxKernel

/// The connection behind a port: its socket, what waits to be sent, and what the other side has said of itself.
///
/// Its source's handler holds it, and so the descriptor is closed where that is freed. Any thread, but for `receive`.
final class PeerLink: Sendable {
  private let descriptor: OwnedDescriptor
  let admitted: RunLoop.PeerPolicy
  let sizeLimit: Int
  private let capacity: Int
  let buffer: PacketBuffer
  private let state = Locked(State())
  /// Rung when there is room to send, and when there never will be.
  let room = TaskLine()

  private struct State {
    var queue = OutgoingQueue()
    /// The most bytes that the other side takes; unknown until it has said so.
    var peerLimit: Int?
    var isClosing = false
    /// The other side has gone.
    var isBroken = false
    /// Somebody has no room for what comes.
    var isPaused = false
  }

  init(_ end: consuming RunLoop.PortEnd, sizeLimit: Int, capacity: Int) {
    admitted = end.admitted
    descriptor = OwnedDescriptor(adopting: end.release().release())
    self.sizeLimit = sizeLimit
    self.capacity = capacity
    buffer = PacketBuffer(capacity: sizeLimit + PacketFormat.helloByteCount)
  }

  /// Says hello.
  func begin(with source: RunLoop.DescriptorSource) {
    let hello = OutgoingQueue.Packet(
      bytes: PacketFormat.hello(sizeLimit: sizeLimit), passed: nil, kind: .hello)
    state.withLock { state in
      // A new socket has room; where whoever had it has filled it, the hello waits, too.
      guard attempt(hello, &state) == .noRoom else { return }
      state.queue.append(hello)
      refresh(source, state)
    }
  }

  var number: CInt { descriptor.number }

  /// How many messages wait to be sent.
  var waitingCount: Int { state.withLock { $0.queue.messageCount } }

  var peerLimit: Int? { state.withLock { $0.peerLimit } }

  /// What the source is to wait for. Changed with the lock held, so that no other change comes between.
  private func refresh(_ source: RunLoop.DescriptorSource, _ state: borrowing State) {
    var wanted: RunLoop.Readiness = state.isPaused ? [] : .read
    if canGoOn(state) { wanted.insert(.write) }
    if source.interest != wanted { source.interest = wanted }
  }

  /// Whether the first packet that waits needs nothing but room.
  private func canGoOn(_ state: borrowing State) -> Bool {
    guard !state.isBroken, let next = state.queue.next else { return false }
    return state.peerLimit != nil || next.contentByteCount <= PacketFormat.assuredByteCount
      || next.kind != .message
  }

  // MARK: sending

  enum Outcome: Equatable {
    case sent
    case full
    case closed
    case tooLarge(limit: Int)
    /// The kernel does not pass on what goes with it.
    case notPassed(KernelError)
  }

  func send(_ packet: OutgoingQueue.Packet, for source: RunLoop.DescriptorSource) -> Outcome {
    state.withLock { state in
      if state.isClosing || state.isBroken { return .closed }
      if let limit = state.peerLimit, packet.contentByteCount > limit { return .tooLarge(limit: limit) }
      guard state.queue.isEmpty else { return enqueue(packet, &state, source) }
      guard state.peerLimit != nil || packet.contentByteCount <= PacketFormat.assuredByteCount else {
        return enqueue(packet, &state, source)
      }
      switch attempt(packet, &state) {
      case .sent: return .sent
      case .noRoom: return enqueue(packet, &state, source)
      case .broken: return .closed
      case .impossible(.messageTooLong): return .tooLarge(limit: packet.contentByteCount - 1)
      case .notPassed(let error): return .notPassed(error)
      case .impossible: return .full
      }
    }
  }

  private func enqueue(
    _ packet: OutgoingQueue.Packet, _ state: inout State, _ source: RunLoop.DescriptorSource
  ) -> Outcome {
    guard state.queue.messageCount < capacity else { return .full }
    state.queue.append(packet)
    refresh(source, state)
    return .sent
  }

  private enum Attempt: Equatable {
    case sent
    /// The kernel says when there is.
    case noRoom
    case broken
    /// The kernel does not say when it would be possible.
    case impossible(KernelError)
    /// It is for what goes with it, and says nothing of the connection.
    case notPassed(KernelError)
  }

  private func attempt(_ packet: OutgoingQueue.Packet, _ state: inout State) -> Attempt {
    do throws(KernelError) {
      try packet.withNumbers { numbers throws(KernelError) in
        try PacketSocket.send(packet.bytes, passing: numbers, to: number)
      }
      return .sent
    } catch {
      switch error {
      case .wouldBlock: return .noRoom
      case .messageTooLong, .noBuffers, .noMemory, .tooManyPassed: return .impossible(error)
      case .badDescriptor, .invalidArgument, .notPermitted:
        if packet.passesSome { return .notPassed(error) }
        fallthrough
      default:
        // What the other side sent before it went is still to be read; there the end is found.
        state.isBroken = true
        return .broken
      }
    }
  }

  /// What became of the messages that waited.
  struct Flushing {
    /// Those that the other side does not take.
    var refused: [RunLoop.PortRefusal] = []
    /// All is said, and the connection is to be closed.
    var isDone = false
    /// Nothing is to be read.
    var isPaused = false
    /// Those who wait for room are to look again.
    fileprivate var hasMoved = false
  }

  /// Sends what waits, as far as there is room.
  func flush(for source: RunLoop.DescriptorSource) -> Flushing {
    let flushing = state.withLock { state in
      var flushing = Flushing(isPaused: state.isPaused)
      guard !state.queue.isEmpty else { return flushing }
      while canGoOn(state), let packet = state.queue.next {
        let limit = state.peerLimit ?? .max
        if packet.kind == .message, packet.contentByteCount > limit {
          flushing.refused.append(.notTaken(byteCount: packet.contentByteCount, limit: limit))
        } else {
          let result = attempt(packet, &state)
          if result == .noRoom { break }
          if result == .broken {
            // Those who wait for room wait in vain, and what is to be said last is not heard.
            flushing.hasMoved = true
            flushing.isDone = state.isClosing
            break
          }
          switch result {
          case .impossible(let error), .notPassed(let error):
            flushing.refused.append(.notSent(errno: error.number))
          default: break
          }
          if packet.kind == .goodbye { flushing.isDone = true }
        }
        state.queue.removeFirst()
        flushing.hasMoved = true
      }
      refresh(source, state)
      return flushing
    }
    if flushing.hasMoved { room.ring() }
    return flushing
  }

  /// Takes nothing more to be sent; says whether all has been sent already, and so has the goodbye.
  func close(for source: RunLoop.DescriptorSource) -> Bool {
    let isDone = state.withLock { state in
      guard !state.isClosing else { return false }
      state.isClosing = true
      if state.isBroken { return true }
      let goodbye = OutgoingQueue.Packet(bytes: PacketFormat.header(.goodbye), passed: nil, kind: .goodbye)
      if state.queue.isEmpty, attempt(goodbye, &state) != .noRoom { return true }
      state.queue.append(goodbye)
      refresh(source, state)
      return false
    }
    room.ring()
    return isDone
  }

  /// Nothing is sent any more.
  func end() {
    state.withLock { $0.isBroken = true }
    room.ring()
  }

  // MARK: receiving

  /// What the other side has said; false if it had said so before.
  func noteHello(limit: Int, for source: RunLoop.DescriptorSource) -> Bool {
    state.withLock { state in
      guard state.peerLimit == nil else { return false }
      state.peerLimit = limit
      refresh(source, state)
      return true
    }
  }

  /// Reads no more for now, or goes on. Asks with the lock held, so that whoever asks last knows best.
  func pause(_ source: RunLoop.DescriptorSource, while isFull: () -> Bool) {
    state.withLock { state in
      state.isPaused = isFull()
      refresh(source, state)
    }
  }

  /// The next packet. Only on the loop's thread.
  func receive() -> PacketBuffer.Finding { buffer.receive(from: number) }
}

extension OutgoingQueue.Packet {
  fileprivate var passesSome: Bool { passed.map { $0.count > 0 } ?? false }

  fileprivate func withNumbers(
    _ body: ([CInt]) throws(KernelError) -> Void
  ) throws(KernelError) {
    guard let passed else { return try body([]) }
    // Lent: once they are on their way, the owner's copies are closed with the packet.
    try body(passed.peek())
  }
}
