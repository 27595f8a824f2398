import LinuxKernel

extension RunLoop.PeerPort {
  /// Sends what waits, and tells the next that has come. Says whether there was anything to tell.
  func serve(
    _ link: PeerLink, _ coding: RunLoop.PortCoding<Sent, Received>,
    _ handler: @Sendable (RunLoop.PeerPort<Sent, Received>, Event) -> Void
  ) -> Bool {
    let flushing = link.flush(for: self)
    for refusal in flushing.refused { handler(self, .refused(refusal)) }
    if flushing.isDone { invalidate() }
    // Where there is only room to send, or the kernel speaks of the other side's end unasked.
    if flushing.isPaused { return !flushing.refused.isEmpty }
    // What is said to the port and not to its user is read past, but not without end.
    for _ in 0..<Self.quietPacketCountMax where isValid {
      switch link.receive() {
      case .nothing: return !flushing.refused.isEmpty
      case .failed(.connectionReset): continue  // what was sent before is still there
      case .failed(let error): return close(.failed(errno: error.number), link, handler)
      case .end: return close(.gone, link, handler)
      case .packet(let packet):
        switch reading(of: packet, link, coding) {
        case .quiet: continue
        case .goodbye: return close(.closed, link, handler)
        case .message(let delivery): handler(self, .message(delivery))
        case .refused(let refusal): handler(self, .refused(refusal))
        }
        return true
      }
    }
    return !flushing.refused.isEmpty
  }

  private static var quietPacketCountMax: Int { 4 }

  private func close(
    _ reason: RunLoop.PortClosing.Reason, _ link: PeerLink,
    _ handler: @Sendable (RunLoop.PeerPort<Sent, Received>, Event) -> Void
  ) -> Bool {
    let closing = RunLoop.PortClosing(reason: reason, unsentCount: link.waitingCount)
    // Before the port is invalid, which ends it without a reason.
    buffer?.end(closing)
    // Before the handler, which may run the loop: the descriptor stays readable.
    invalidate()
    handler(self, .closed(closing))
    return true
  }

  /// What a packet says.
  private enum Reading {
    case quiet
    case goodbye
    case message(RunLoop.PeerDelivery<Received>)
    case refused(RunLoop.PortRefusal)
  }

  private func reading(
    of packet: consuming ReceivedPacket, _ link: PeerLink, _ coding: RunLoop.PortCoding<Sent, Received>
  ) -> Reading {
    // Whose it is comes first: of a stranger nothing else is looked at.
    guard let sender = packet.sender.map(RunLoop.PortPeer.init) else { return .refused(.unknownPeer) }
    guard link.admitted.admits(sender) else { return .refused(.wrongPeer(sender)) }
    guard packet.count >= PacketFormat.headerByteCount else {
      return .refused(.cutShort(byteCount: packet.count))
    }
    let version = link.buffer.byte(at: 0)
    guard version == PacketFormat.version else { return .refused(.wrongVersion(version)) }
    let contentCount = packet.count - PacketFormat.headerByteCount
    guard !packet.isTruncated, contentCount <= sizeLimit else {
      return .refused(.tooLarge(byteCount: contentCount, limit: sizeLimit))
    }
    guard !packet.hasLostDescriptors else { return .refused(.descriptorsLost) }
    let code = link.buffer.byte(at: 1)
    let content = link.buffer.bytes(in: PacketFormat.headerByteCount..<packet.count)
    switch PacketFormat.Kind(rawValue: code) {
    case .message:
      do {
        let message = try coding.decode(content)
        let descriptors = RunLoop.PassedDescriptors(packet.takeDescriptors())
        return .message(.init(message: message, sender: sender, descriptors: descriptors))
      } catch {
        return .refused(.notDecodable(error))
      }
    case .hello where packet.count == PacketFormat.helloByteCount && packet.descriptorCount == 0:
      let limit = PacketFormat.sizeLimit(ofHello: content)
      return link.noteHello(limit: limit, for: self) ? .quiet : .refused(.secondHello)
    case .goodbye where content.isEmpty && packet.descriptorCount == 0: return .goodbye
    default: return .refused(.malformed(kind: code))
    }
  }
}
