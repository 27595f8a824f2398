import LinuxKernel

extension RunLoop {
  /// A process at the other end of a port, as the kernel knows it: no process can pretend to be another, but for one with
  /// the privileges to be it anyway.
  public struct PortPeer: Hashable, Sendable {
    /// The process's number; 0 if it is in a namespace that this one does not see into. The number may be another's by
    /// now.
    public let process: CInt
    /// The user's number.
    public let user: UInt32
    /// The group's number.
    public let group: UInt32

    /// Describes a process, this one's own by default.
    public init() { self.init(.own) }

    init(_ sender: PacketSender) { (process, user, group) = (sender.process, sender.user, sender.group) }

    /// Whether it runs for the user that this process runs for.
    public var isSameUser: Bool { PacketSender(process: process, user: user, group: group).isSameUser }
  }

  /// Whom a port takes messages from.
  public struct PeerPolicy: Sendable {
    private let admits: @Sendable (PortPeer) -> Bool

    /// Asks a closure, on the loop's thread, for each message.
    public init(_ admits: @escaping @Sendable (PortPeer) -> Bool) { self.admits = admits }

    /// Processes of the user that this one runs for; not root's, unless this is.
    public static let sameUser = PeerPolicy { $0.isSameUser }
    /// Whoever has the other end.
    public static let anyone = PeerPolicy { _ in true }

    /// Whether a process is admitted.
    public func admits(_ peer: PortPeer) -> Bool { admits(peer) }
  }
}

extension RunLoop.PortPeer: CustomStringConvertible {
  /// The process, and for whom it runs.
  public var description: String { "process \(process) of user \(user), group \(group)" }
}
