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
    // Before anything is made on the way to it.
    guard !name.isEmpty, path.utf8.count <= PacketSocket.nameLengthMax else { throw .badAddress(address) }
    let folder = try Self.folder(at: folderPath, for: address)
    do throws(KernelError) {
      self = try SocketFile(named: name, in: folder, path, mode)
    } catch {
      throw RunLoop.PortError(error, at: address)
    }
  }

  /// The folder, made if it is not there, in which nobody else can put a socket.
  private static func folder(
    at path: String, for address: RunLoop.PortAddress
  ) throws(RunLoop.PortError) -> OpenFolder {
    do throws(KernelError) {
      try OpenFolder.make(at: path)
      let folder = try OpenFolder(path: path)
      if try !folder.isOpenToOthers { return folder }
    } catch {
      throw RunLoop.PortError(error, at: address)
    }
    throw .folderOpenToOthers(path)
  }

  private init(
    named name: String, in folder: consuming OpenFolder, _ path: String, _ mode: UInt32
  ) throws(KernelError) {
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
    }
    do throws(KernelError) {
      return try folder.file(named: name, writable: true)
    } catch {
      // Something else has the lock's name: a folder, a link, a pipe.
      throw error == .isAFolder || error == .tooManyLinks || error == .invalidArgument ? .addressInUse : error
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
