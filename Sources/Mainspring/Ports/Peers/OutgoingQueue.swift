/// What is to be sent and has found no room yet, in its order. With its owner's lock held.
struct OutgoingQueue {
  /// A packet, and the descriptors that go with it.
  struct Packet {
    let bytes: [UInt8]
    let passed: RunLoop.PassedDescriptors?
    let kind: PacketFormat.Kind

    var contentByteCount: Int { bytes.count - PacketFormat.headerByteCount }
  }

  private var packets: [Packet] = []
  private var first = 0
  /// How many of them are messages.
  private(set) var messageCount = 0

  var isEmpty: Bool { first == packets.count }
  var next: Packet? { isEmpty ? nil : packets[first] }

  mutating func append(_ packet: Packet) {
    packets.append(packet)
    if packet.kind == .message { messageCount += 1 }
  }

  mutating func removeFirst() {
    if packets[first].kind == .message { messageCount -= 1 }
    first += 1
    // Half of the memory at most is of packets that have gone, and each is moved once for two that go.
    if first == packets.count || first >= 64 && first * 2 >= packets.count {
      packets.removeFirst(first)
      first = 0
    }
  }
}
