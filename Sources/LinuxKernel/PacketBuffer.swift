import CLinuxKernel
import Glibc

/// Memory for one packet of a length that is known beforehand, however long what comes is.
@safe package struct PacketBuffer: ~Copyable, @unchecked Sendable {
  // Sendable: what it holds is written and read by one thread at a time, the one that receives.
  // SAFETY: allocated and freed with the value. Pages that no packet reaches are never touched.
  private let memory: UnsafeMutableRawBufferPointer

  /// - Parameter capacity: bytes.
  package init(capacity: Int) { unsafe memory = .allocate(byteCount: capacity, alignment: 16) }

  deinit { unsafe memory.deallocate() }

  /// What a look into a socket found.
  package enum Finding: ~Copyable {
    case nothing
    /// The other side sends no more.
    case end
    case packet(ReceivedPacket)
    case failed(KernelError)
  }

  /// Takes the next packet from a socket. Only one thread at a time.
  package borrowing func receive(from number: CInt) -> Finding {
    var packet = ms_packet()
    // SAFETY: writes no more than the memory's length, and one packet's description.
    let count = unsafe ms_packet_receive(number, memory.baseAddress!, memory.count, &packet)
    if count < 0 {
      let error = KernelError(CInt(-count))
      return error == .wouldBlock ? .nothing : .failed(error)
    }
    if count == 0, packet.has_sender == 0 { return .end }
    return .packet(ReceivedPacket(count, packet))
  }

  /// The bytes of the packet that was taken last. Traps beyond its end.
  package borrowing func byte(at index: Int) -> UInt8 { unsafe memory[index] }

  /// The same from an index on to the packet's end.
  package borrowing func bytes(in range: Range<Int>) -> [UInt8] { unsafe [UInt8](memory[range]) }
}

/// A packet but for its bytes.
package struct ReceivedPacket: ~Copyable, Sendable {
  /// As it was sent, in bytes.
  package let count: Int
  /// It was longer than there was room.
  package let isTruncated: Bool
  /// Descriptors were sent that could not be taken in.
  package let hasLostDescriptors: Bool
  package let sender: PacketSender?
  private var numbers: [CInt]

  init(_ count: Int, _ packet: ms_packet) {
    self.count = count
    isTruncated = packet.is_truncated != 0
    hasLostDescriptors = packet.lost_descriptors != 0
    sender = packet.has_sender != 0 ? PacketSender(packet.sender) : nil
    // SAFETY: the kernel's numbers lie one behind the other in an array of C's, of which Swift makes a tuple.
    numbers = unsafe withUnsafeBytes(of: packet.descriptors) {
      unsafe Array($0.bindMemory(to: CInt.self).prefix(Int(packet.descriptor_count)))
    }
  }

  package var descriptorCount: Int { numbers.count }

  /// Gives the descriptors away.
  package mutating func takeDescriptors() -> [CInt] {
    defer { numbers = [] }
    return numbers
  }

  // Whoever refuses a packet need not think of what came with it.
  deinit { for number in numbers { _ = close(number) } }
}
