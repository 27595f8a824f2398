import LinuxKernel

extension RunLoop {
  /// Where other processes of the machine find this one, to be connected with it by ports.
  ///
  /// Each process that connects is one callout. The kernel says who it is; who is not admitted is turned away and never
  /// heard of again. At a path, what a killed process has left is replaced, and a listener that lives is not: a lock in a
  /// file of the same name and `.lock`, which stays, tells them apart. When the listener is invalid, its file goes.
  public final class PeerListener: DescriptorSource, @unchecked Sendable {
    // Sendable: as `DescriptorSource`.
    /// Where it is found.
    public let address: PortAddress

    /// Listens at an address.
    ///
    /// - Parameters:
    ///   - address: of a path, the folder is made if it is not there, for this user alone.
    ///   - admitted: who may connect, and whom the ports then take messages from.
    ///   - mode: of the file, less the umask: who may connect as far as the file system goes.
    ///   - order: smaller numbers are served first within what one look found ready.
    ///   - onRefusal: called on the loop's thread with why somebody was not connected: `.wrongPeer`; or `.noDescriptorLeft`,
    ///     after which the listener rests for a tenth of a second, and looks again; or `.refused`.
    ///   - handler: called on the loop's thread with this side's end of a connection, to make a port of.
    /// - Throws: `.addressInUse`, `.badAddress`, `.notPermitted`, `.folderOpenToOthers`, `.noDescriptorLeft`, `.refused`;
    ///   `.nobodyListens` if the folder's own folder is not there.
    public convenience init(
      at address: PortAddress, admitted: PeerPolicy = .sameUser, mode: UInt32 = 0o600, order: Int = 0,
      file: StaticString = #fileID, line: UInt = #line,
      onRefusal: @escaping @Sendable (PeerListener, PortError) -> Void = { _, _ in },
      handler: @escaping @Sendable (PeerListener, consuming PortEnd) -> Void
    ) throws(PortError) {
      let socket = try ListeningSocket(address, mode: mode)
      self.init(address, socket, order, CallSite(file, line)) { listener in
        switch socket.accept(admitting: admitted) {
        case .nobody: return false
        case .end(let end): handler(listener, end)
        case .refused(let error):
          if case .noDescriptorLeft = error { listener.rest() }
          onRefusal(listener, error)
        }
        return true
      }
    }

    private init(
      _ address: PortAddress, _ socket: ListeningSocket, _ order: Int, _ site: CallSite,
      _ serve: @escaping @Sendable (PeerListener) -> Bool
    ) {
      self.address = address
      super.init(owning: socket.number, order: order, site: site) { source in
        guard let listener = source as? PeerListener else { return false }
        return serve(listener)
      }
    }

    /// Who waits to be let in keeps the socket readable, and the loop awake in vain.
    private func rest() {
      interest = []
      let end = Timer(after: .milliseconds(100)) { [weak self] _ in self?.interest = .read }
      loop?.add(end, to: .common)
    }

    override var kindName: String { "peer listener" }
    override var stateDescription: String { "at \(address)" }
  }
}

/// A socket that others connect to, and its file.
private final class ListeningSocket: Sendable {
  private let descriptor: OwnedDescriptor
  private let file: SocketFile?

  var number: CInt { descriptor.number }

  init(_ address: RunLoop.PortAddress, mode: UInt32) throws(RunLoop.PortError) {
    guard !address.name.isEmpty, !address.name.utf8.contains(0) else { throw .badAddress(address) }
    switch address {
    case .path(let path):
      let made = try SocketFile(path, mode: mode)
      descriptor = OwnedDescriptor(adopting: made.number)
      file = consume made
    case .abstract(let name):
      do throws(KernelError) {
        descriptor = OwnedDescriptor(adopting: try PacketSocket.listen(name, isAbstract: true, mode: mode))
        file = nil
      } catch {
        throw RunLoop.PortError(error, at: address)
      }
    }
  }

  enum Caller: ~Copyable {
    case nobody
    case end(RunLoop.PortEnd)
    case refused(RunLoop.PortError)
  }

  func accept(admitting admitted: RunLoop.PeerPolicy) -> Caller {
    let accepted: CInt
    do throws(KernelError) {
      accepted = try PacketSocket.accept(number)
    } catch {
      // Whoever it was has gone.
      return error == .wouldBlock || error == .connectionAborted
        ? .nobody : .refused(RunLoop.PortError(error))
    }
    do throws(RunLoop.PortError) {
      let end = try RunLoop.PortEnd(owning: accepted, admitted: admitted)
      return admitted.admits(end.peer) ? .end(end) : .refused(.wrongPeer(end.peer))
    } catch {
      return .refused(error)
    }
  }
}
