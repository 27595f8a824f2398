import LinuxKernel

extension RunLoop.FileChanges {
  /// What can be watched for.
  public struct Events: OptionSet, Hashable, Sendable {
    /// A bit for each.
    public let rawValue: UInt16
    /// What these bits stand for.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A file was written to or cut.
    public static let modified = Events(rawValue: 1)
    /// Permissions, owner, times, or the number of names changed.
    public static let attributes = Events(rawValue: 2)
    /// A file that was open for writing was closed: it is as its writer left it.
    public static let closedAfterWriting = Events(rawValue: 4)
    /// Something came into the folder that was not made elsewhere: a file, a folder, a link.
    public static let created = Events(rawValue: 8)
    /// A name in the folder was removed.
    public static let deleted = Events(rawValue: 16)
    /// A name left the folder, for another or for a new name.
    public static let movedFrom = Events(rawValue: 32)
    /// A name came into the folder from another, or is the new one.
    public static let movedTo = Events(rawValue: 64)
    /// What is watched is gone: its last name was removed, and nobody has it open.
    public static let selfDeleted = Events(rawValue: 128)
    /// What is watched got another name; it is watched on.
    public static let selfMoved = Events(rawValue: 256)

    /// Both halves of a move.
    public static let moved: Events = [.movedFrom, .movedTo]
    /// What changes the list of names in a folder.
    public static let names: Events = [.created, .deleted, .movedFrom, .movedTo]
    /// All of them.
    public static let all = Events(rawValue: 511)

    static let bits: [(event: Events, kind: Kind, bit: UInt32)] = [
      (.modified, .modified, InotifyBits.modified), (.attributes, .attributes, InotifyBits.attributes),
      (.closedAfterWriting, .closedAfterWriting, InotifyBits.closedAfterWriting),
      (.created, .created, InotifyBits.created), (.deleted, .deleted, InotifyBits.deleted),
      (.movedFrom, .movedFrom, InotifyBits.movedFrom), (.movedTo, .movedTo, InotifyBits.movedTo),
      (.selfDeleted, .selfDeleted, InotifyBits.selfDeleted), (.selfMoved, .selfMoved, InotifyBits.selfMoved),
    ]

    var inotifyBits: UInt32 { Self.bits.reduce(0) { contains($1.event) ? $0 | $1.bit : $0 } }
  }
}
