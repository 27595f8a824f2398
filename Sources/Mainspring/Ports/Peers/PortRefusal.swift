import LinuxKernel

extension RunLoop {
  /// Why a packet was not taken from the other side, or not by it. Everything else goes on: who wants to hear no more from a
  /// peer that sends such invalidates the port.
  public enum PortRefusal: Error, Sendable {
    /// It is longer than this side takes. No more of it was read than that.
    case tooLarge(byteCount: Int, limit: Int)
    /// It has no byte, or not those that each packet begins with.
    case cutShort(byteCount: Int)
    /// It speaks another version of what ports say to each other.
    case wrongVersion(UInt8)
    /// It is of a kind that there is not, or has what its kind has not.
    case malformed(kind: UInt8)
    /// The other side says again how much it takes.
    case secondHello
    /// The content is no message of the port's type; the error is the coding's.
    case notDecodable(any Error)
    /// Too many descriptors came with it, or this process has no number left for them; they are closed.
    case descriptorsLost
    /// Who sent it is not admitted.
    case wrongPeer(PortPeer)
    /// The kernel does not say who sent it.
    case unknownPeer
    /// A message of this side's that waited is longer than the other side takes, as it has said by now.
    case notTaken(byteCount: Int, limit: Int)
    /// A message of this side's that waited cannot be sent; the number is the kernel's `errno`.
    case notSent(errno: CInt)
  }

  /// How the other side has ended.
  public struct PortClosing: Hashable, Sendable {
    /// Why there will be no more.
    public enum Reason: Hashable, Sendable {
      /// The other side has closed its port, after everything that it had sent.
      case closed
      /// The other side's process has ended, or has let go of its port without closing it.
      case gone
      /// The kernel says that the connection is of no use any more; the number is its `errno`.
      case failed(errno: CInt)
    }

    /// Why there will be no more.
    public let reason: Reason
    /// How many messages of this side's waited to be sent, and are lost. Of those that were sent nobody knows whether the
    /// other side has read them.
    public let unsentCount: Int
  }
}

extension RunLoop.PortRefusal: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .tooLarge(let count, let limit): "a packet of \(count) bytes, of which \(limit) are taken"
    case .cutShort(let count): "a packet of \(count) bytes says nothing"
    case .wrongVersion(let version):
      "a packet of version \(version); this side speaks \(PacketFormat.version)"
    case .malformed(let kind): "a packet of kind \(kind) that is none"
    case .secondHello: "a second hello"
    case .notDecodable(let error): "no message: \(error)"
    case .descriptorsLost: "more descriptors than can be taken"
    case .wrongPeer(let peer): "\(peer) is not admitted"
    case .unknownPeer: "a packet of nobody knows whom"
    case .notTaken(let count, let limit):
      "a message of \(count) bytes, of which the other side takes \(limit)"
    case .notSent(let number): "a message cannot be sent: \(KernelError(number))"
    }
  }
}
