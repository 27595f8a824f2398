import LinuxKernel

extension RunLoop {
  /// One side of a connection between two processes of a machine, by which they send each other typed messages.
  ///
  /// Messages come whole, in the order of sending, each with who sent it and perhaps with descriptors. Any thread sends; the
  /// loop's thread receives, one message a callout, and is told at once when the other side closes or its process dies,
  /// after everything that it had sent. Nothing that comes is believed: what is no message of the port's type is refused
  /// with a reason, and the next packet is read.
  ///
  /// The two sides need not have the same types: what the one sends is what the other receives. `MainspringPorts` adds
  /// initializers for `Codable` messages.
  ///
  /// A port owns its end of the connection and closes it when it is invalid. It has memory for one message of the largest
  /// size, of which no more is touched than comes.
  public final class PeerPort<Sent: Sendable, Received: Sendable>: DescriptorSource, @unchecked Sendable {
    // Sendable: as `DescriptorSource`; what is set is set before others see it.
    /// Held by the handler's closure, and so as long as that.
    private weak var heldLink: PeerLink?
    private let coding: PortCoding<Sent, Received>
    /// The most bytes of a message that this side takes.
    public let sizeLimit: Int
    /// The most messages that may wait to be sent, beyond those for which the kernel has room.
    public let capacity: Int
    let buffer: PeerBuffer<Received>?

    /// What a port is told.
    public enum Event: Sendable {
      /// A message has come.
      case message(PeerDelivery<Received>)
      /// A packet was not taken; the port goes on.
      case refused(PortRefusal)
      /// The other side has ended, and the port is invalid: the last that it is told.
      case closed(PortClosing)
    }

    /// A port that tells a handler what comes.
    ///
    /// - Parameters:
    ///   - end: of the connection; the port's from here on, and closed with it.
    ///   - coding: how messages become bytes.
    ///   - sizeLimit: the most bytes of a message that are taken; the other side is told, and does not send more. The kernel
    ///     has room for some 200,000 in a message, or less where `net.core.wmem_max` is lower: send the descriptor of a
    ///     file for more.
    ///   - capacity: the most messages that may wait where the other side does not read; a sender is told when it is reached.
    ///   - order: smaller numbers are served first within what one look found ready.
    ///   - handler: called on the loop's thread.
    /// - Precondition: the size limit is 1024 to 262,144 bytes, and the capacity above zero.
    public convenience init(
      _ end: consuming PortEnd, coding: PortCoding<Sent, Received>, sizeLimit: Int = 65536,
      capacity: Int = 64,
      order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping @Sendable (PeerPort, Event) -> Void
    ) {
      self.init(
        Self.link(end, sizeLimit, capacity), coding, capacity, nil, order, CallSite(file, line), handler)
    }

    /// A port whose messages a task takes, by `deliveries`.
    ///
    /// - Parameters:
    ///   - buffering: how many messages are read before the task takes them; then no more are, until it has taken some, and
    ///     in the end the other side is told that there is no room.
    ///   - onRefusal: called on the loop's thread for each packet that is not taken.
    /// - Precondition: as of the other, and the buffer holds at least one.
    public convenience init(
      _ end: consuming PortEnd, coding: PortCoding<Sent, Received>, buffering: Int, sizeLimit: Int = 65536,
      capacity: Int = 64, order: Int = 0, file: StaticString = #fileID, line: UInt = #line,
      onRefusal: @escaping @Sendable (PeerPort, PortRefusal) -> Void = { _, _ in }
    ) {
      require(buffering > 0, "a buffer for \(buffering) messages could hold none")
      let (link, buffer) = (Self.link(end, sizeLimit, capacity), PeerBuffer<Received>(limit: buffering))
      self.init(link, coding, capacity, buffer, order, CallSite(file, line)) { port, event in
        switch event {
        case .message(let delivery): if buffer.put(delivery) { link.pause(port) { buffer.isFull } }
        case .refused(let refusal): onRefusal(port, refusal)
        case .closed: break
        }
      }
    }

    private static func link(_ end: consuming PortEnd, _ sizeLimit: Int, _ capacity: Int) -> PeerLink {
      require(
        PacketFormat.sizeLimits.contains(sizeLimit),
        "a limit of \(sizeLimit) bytes is not in \(PacketFormat.sizeLimits)")
      require(capacity > 0, "a port of capacity \(capacity) could hold no message")
      return PeerLink(end, sizeLimit: sizeLimit, capacity: capacity)
    }

    private init(
      _ link: PeerLink, _ coding: PortCoding<Sent, Received>, _ capacity: Int,
      _ buffer: PeerBuffer<Received>?,
      _ order: Int, _ site: CallSite, _ handler: @escaping @Sendable (PeerPort, Event) -> Void
    ) {
      heldLink = link
      self.coding = coding
      self.sizeLimit = link.sizeLimit
      self.capacity = capacity
      self.buffer = buffer
      super.init(owning: link.number, order: order, site: site) { source in
        guard let port = source as? PeerPort else { return false }
        return port.serve(link, coding, handler)
      }
      link.begin(with: self)
    }

    /// In a forked child another thread may have held the lock, and never will give it back.
    var link: PeerLink? { isValid ? heldLink : nil }

    // MARK: sending

    /// How a send went.
    public enum SendResult: Sendable {
      /// The message will be sent, unless the other side ends or the port is invalidated before.
      case sent
      /// As many messages wait as may, because the other side does not read; or the kernel has no memory.
      case full
      /// The port was closed or invalidated, or the other side has ended.
      case closed
      /// The message has more bytes than the other side, or the kernel, takes.
      case tooLarge(byteCount: Int, limit: Int)
      /// More descriptors than a message may bring, which is `PassedDescriptors.countMax`.
      case tooManyDescriptors
      /// The kernel does not pass on what goes with the message: a descriptor that is closed already, say. The number is
      /// its `errno`; the port goes on.
      case descriptorsRefused(errno: CInt)
      /// The coding could not make bytes of the message.
      case notEncodable(any Error)
    }

    /// Sends from any thread, at once if the kernel has room. A port that is in no mode of a running loop sends no more than
    /// that.
    ///
    /// A message of more than 1024 bytes waits until the other side has said how much it takes, and so until its process
    /// has made its port.
    ///
    /// - Parameter descriptors: go with the message and are closed here once it is sent, unless it is not: then they are
    ///   still there.
    /// - Complexity: that of encoding, and a system call under the port's lock, which is never held over the user's code.
    @discardableResult
    public func send(_ message: Sent, passing descriptors: PassedDescriptors? = nil) -> SendResult {
      guard isValid else { return .closed }
      switch packet(of: message, descriptors) {
      case .success(let packet): return settle(put(packet), packet, descriptors)
      case .failure(let refusal): return refusal.result
      }
    }

    /// Sends, and waits for room where there is none: suspends while as many messages wait as may. Any thread.
    ///
    /// What others send meanwhile may come before.
    ///
    /// - Returns: everything but `.full`.
    /// - Throws: if the task is cancelled; the message is not sent then.
    @discardableResult
    public func send(
      _ message: Sent, passing descriptors: PassedDescriptors? = nil
    ) async throws(CancellationError) -> SendResult {
      guard isValid else { return .closed }
      let packet: OutgoingQueue.Packet
      switch self.packet(of: message, descriptors) {
      case .success(let made): packet = made
      case .failure(let refusal): return refusal.result
      }
      while let room = link?.room {
        let ticket = room.ticket
        let result = put(packet)
        if case .full = result {} else { return settle(result, packet, descriptors) }
        await room.wait(after: ticket)
        guard !Task.isCancelled else {
          _ = settle(result, packet, descriptors)
          throw CancellationError()
        }
      }
      return settle(.closed, packet, descriptors)
    }

    private struct Unsendable: Error { let result: SendResult }

    private func packet(
      of message: Sent, _ descriptors: PassedDescriptors?
    ) -> Result<OutgoingQueue.Packet, Unsendable> {
      if let descriptors, descriptors.count > PassedDescriptors.countMax {
        return .failure(Unsendable(result: .tooManyDescriptors))
      }
      var bytes = PacketFormat.header(.message)
      do { try coding.encode(message, into: &bytes) } catch {
        return .failure(Unsendable(result: .notEncodable(error)))
      }
      let passed = descriptors.map { PassedDescriptors($0.takeAll()) }
      return .success(OutgoingQueue.Packet(bytes: bytes, passed: passed, kind: .message))
    }

    private func put(_ packet: OutgoingQueue.Packet) -> SendResult {
      switch link?.send(packet, for: self) ?? .closed {
      case .sent: .sent
      case .full: .full
      case .closed: .closed
      case .tooLarge(let limit): .tooLarge(byteCount: packet.contentByteCount, limit: limit)
      case .notPassed(let error): .descriptorsRefused(errno: error.number)
      }
    }

    /// Descriptors that were not sent are the sender's again.
    private func settle(
      _ result: SendResult, _ packet: OutgoingQueue.Packet, _ descriptors: PassedDescriptors?
    ) -> SendResult {
      if case .sent = result { return result }
      if let passed = packet.passed { descriptors?.putBack(passed.takeAll()) }
      return result
    }

    /// Refuses what is to be sent from here on; what was before is, and the other side is told that this was all. Then the
    /// port is invalidated. Any thread.
    public func close() {
      guard let link else { return }
      if link.close(for: self) { invalidate() }
    }

    /// How many messages wait to be sent. Any thread.
    public var waitingCount: Int { link?.waitingCount ?? 0 }

    /// The most bytes of a message that the other side takes; nil until it has said so. Any thread.
    public var peerSizeLimit: Int? { link?.peerLimit }

    override func releaseHandlers() {
      if !isInherited {
        heldLink?.end()
        buffer?.end(nil)
      }
      super.releaseHandlers()
    }

    override var kindName: String { "peer port" }
    override var stateDescription: String {
      "descriptor \(descriptor), \(waitingCount) messages waiting to be sent"
    }
  }
}
