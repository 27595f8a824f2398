extension RunLoop {
  /// A message of another process.
  public struct PeerDelivery<Message: Sendable>: Sendable {
    /// What was sent.
    public let message: Message
    /// Who sent it, as of the time of sending. By its real user: a program that acts for another user is its starter's.
    public let sender: PortPeer
    /// What came with it. Those that nobody takes are closed with the last copy of this.
    public let descriptors: PassedDescriptors
  }
}
