import LinuxKernel

extension RunLoop.FileChanges {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// As the events of the same names.
    case modified, attributes, closedAfterWriting, created, deleted, movedFrom, movedTo, selfDeleted,
      selfMoved
    /// The file system that it was on was taken away.
    case unmounted
    /// The path is not watched any more: what was watched there is gone.
    case watchEnded
    /// More happened than the kernel keeps: some changes are lost, of whatever path. Look at everything again.
    case overflow
  }

  /// Something that happened to what is watched.
  public struct Change: Hashable, Sendable {
    /// What happened.
    public let kind: Kind
    /// The path that is watched, as it was given; empty for an overflow, which concerns all of them.
    public let path: String
    /// In a watched folder, the bytes of the name that it happened to; empty where what is watched is meant itself.
    ///
    /// The kernel has no opinion on what they mean, and they need not be UTF-8.
    public let nameBytes: [UInt8]
    /// What the two halves of one move have in common; nil for what is no half of a move.
    public let move: UInt32?
    /// Whether it happened to a folder.
    public let isFolder: Bool

    /// The name as text, with U+FFFD in the place of what is not UTF-8; nil where what is watched is meant itself.
    public var name: String? { nameBytes.isEmpty ? nil : String(decoding: nameBytes, as: UTF8.self) }

    init(_ kind: Kind, path: String, _ event: InotifyEvent) {
      self.kind = kind
      self.path = path
      nameBytes = event.name
      move = event.cookie == 0 ? nil : event.cookie
      isFolder = event.bits & InotifyBits.isFolder != 0
    }
  }
}
