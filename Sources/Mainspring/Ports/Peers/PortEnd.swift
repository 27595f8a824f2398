import LinuxKernel

extension RunLoop {
  /// One end of a connection between two processes, before it is a `PeerPort`: to be made one here, or to be handed to a
  /// child or, with a message, to another process.
  ///
  /// The other side is told that this process has gone when the last copy of its end is closed. Whoever hands an end to a
  /// child lets go of its own copy once the child has been started.
  public struct PortEnd: ~Copyable, Sendable {
    private let descriptor: PassedDescriptor
    /// Who was at the other end when the two were connected: of a pair, the process that made it.
    public let peer: PortPeer
    /// Whom the port is to take messages from.
    public var admitted: PeerPolicy

    /// The socket's number, closed by exec. Good as long as this lives.
    public var number: CInt { descriptor.number }

    init(owning number: CInt, admitted: PeerPolicy) throws(PortError) {
      descriptor = PassedDescriptor(adopting: number)
      self.admitted = admitted
      do throws(KernelError) {
        peer = PortPeer(try PacketSocket.peer(of: number))
      } catch {
        throw error == .notASocket || error == .wrongKind ? .notAPort(number) : PortError(error)
      }
    }

    /// Two ends of one connection. Whoever has the other end is admitted.
    ///
    /// - Throws: `.noDescriptorLeft`, `.refused`.
    public static func makePair() throws(PortError) -> Pair {
      let ends: (CInt, CInt)
      do throws(KernelError) {
        ends = try PacketSocket.pair()
      } catch {
        throw PortError(error)
      }
      let one = PassedDescriptor(adopting: ends.0)
      let other = PassedDescriptor(adopting: ends.1)
      return Pair(
        one: try PortEnd(owning: one.release(), admitted: .anyone),
        other: try PortEnd(owning: other.release(), admitted: .anyone))
    }

    /// Takes over an end that came from elsewhere: inherited, or passed with a message.
    ///
    /// - Throws: `.notAPort`, after which the descriptor is closed; `.refused`.
    public static func adopt(
      _ descriptor: consuming PassedDescriptor, admitted: PeerPolicy = .anyone
    ) throws(PortError) -> PortEnd {
      let number = descriptor.number
      do throws(KernelError) {
        try PacketSocket.prepare(number)
      } catch {
        throw error == .notASocket || error == .wrongKind ? .notAPort(number) : PortError(error)
      }
      return try PortEnd(owning: descriptor.release(), admitted: admitted)
    }

    /// Connects to whoever listens at an address, without waiting.
    ///
    /// - Parameter admitted: whoever listens is one of these, or `.wrongPeer` is thrown.
    /// - Throws: `.nobodyListens`, `.busy`, `.notPermitted`, `.badAddress`, `.wrongPeer`, `.noDescriptorLeft`, `.refused`.
    public static func connect(
      to address: PortAddress, admitted: PeerPolicy = .sameUser
    ) throws(PortError) -> PortEnd {
      guard !address.name.utf8.contains(0) else { throw .badAddress(address) }
      let number: CInt
      do throws(KernelError) {
        number = try PacketSocket.connect(address.name, isAbstract: address.isAbstract)
      } catch {
        throw PortError(error, at: address)
      }
      let end = try PortEnd(owning: number, admitted: admitted)
      guard admitted.admits(end.peer) else { throw .wrongPeer(end.peer) }
      return end
    }

    /// Gives the descriptor away, to be handed to another process.
    public consuming func release() -> PassedDescriptor { descriptor }
  }
}

extension RunLoop.PortEnd {
  /// The two ends of a connection.
  @frozen public struct Pair: ~Copyable, Sendable {
    /// The one, as a rule this process's.
    public var one: RunLoop.PortEnd
    /// The other, as a rule somebody else's.
    public var other: RunLoop.PortEnd
  }
}
