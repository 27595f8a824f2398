import LinuxKernel

/// The file by which a listener is found, and the lock beside it by which others know that it is in use: held by the kernel
/// until the process ends, however it does.
///
/// A file without a lock is what a process has left that was killed, or belongs to somebody who knows nothing of locks; who
/// connects to it is told which.
struct SocketFile: ~Copyable, Sendable {
  private let folder: OpenFolder
  private let lock: OpenFile
  private let name: String
  private let identity: SocketIdentity?
  let number: CInt

  /// Listens at a path, in the place of what a dead process has left there.
  init(_ path: String, mode: UInt32) throws(RunLoop.PortError) {
    let address = RunLoop.PortAddress.path(path)
    let (folderPath, name) = OpenFolder.split(path)
    guard !name.isEmpty else { throw .badAddress(address) }
    do throws(KernelError) {
      self = try SocketFile(named: name, in: folderPath, path, mode)
    } catch {
      throw error == .isAFolder ? .folderOpenToOthers(folderPath) : RunLoop.PortError(error, at: address)
    }
  }

  /// - Throws: also `.isAFolder`, of one that others may change.
  private init(
    named name: String, in folderPath: String, _ path: String, _ mode: UInt32
  ) throws(KernelError) {
    try OpenFolder.make(at: folderPath)
    let folder = try OpenFolder(path: folderPath)
    if try folder.isOpenToOthers { throw .isAFolder }
    let lock = try Self.lockFile(name + ".lock", in: folder)
    guard try lock.lock() else { throw .addressInUse }
    try Self.clear(name, in: folder, path)
    number = try PacketSocket.listen(path, isAbstract: false, mode: mode)
    identity = folder.socket(named: name)
    self.name = name
    self.folder = folder
    self.lock = lock
  }

  private static func lockFile(_ name: String, in folder: borrowing OpenFolder) throws(KernelError)
    -> OpenFile
  {
    do throws(KernelError) {
      return try folder.makeFile(named: name)
    } catch {
      guard error == .exists else { throw error }
      return try folder.file(named: name, writable: true)
    }
  }

  /// With the lock held.
  private static func clear(_ name: String, in folder: borrowing OpenFolder, _ path: String)
    throws(KernelError)
  {
    do throws(KernelError) {
      PacketSocket.close(try PacketSocket.connect(path, isAbstract: false))
    } catch {
      switch error {
      case .notThere: return
      // Nobody listens. A file that is no socket answers the same, and is not ours to take away.
      case .connectionRefused where folder.socket(named: name) != nil: return try folder.remove(name)
      case .accessDenied, .nameTooLong: throw error
      default: throw .addressInUse
      }
    }
    throw .addressInUse
  }

  deinit {
    // Not in a child, whose parent goes on; and not what somebody else has put there. The lock stays: who took it away
    // would let two others hold locks of that name.
    guard !lock.isInherited, identity != nil, folder.socket(named: name) == identity else { return }
    try? folder.remove(name)
  }
}
