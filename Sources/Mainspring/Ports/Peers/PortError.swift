import LinuxKernel

extension RunLoop {
  /// Why ports between processes could not be connected, or listened for.
  public enum PortError: Error, Hashable, Sendable {
    /// Somebody else listens there, or what stands at the path is no socket, or its lock no file.
    case addressInUse(PortAddress)
    /// Nobody listens there, or nothing is there.
    case nobodyListens(PortAddress)
    /// More processes wait there to be let in than may.
    case busy(PortAddress)
    /// The address is empty or too long, or has a zero byte.
    case badAddress(PortAddress)
    /// This user may not connect there, or make the file.
    case notPermitted(PortAddress)
    /// Others could put their socket in the place of this one: the folder is not this user's or root's, or others may
    /// write into it and it is not sticky.
    case folderOpenToOthers(String)
    /// The process at the other end is not one that is admitted.
    case wrongPeer(PortPeer)
    /// The descriptor is not a socket of the kind that ports speak through.
    case notAPort(CInt)
    /// The process or the machine has no descriptor left, or no memory for one; the number is the kernel's `errno`.
    case noDescriptorLeft(errno: CInt)
    /// The kernel cannot do it, for a reason that has no case of its own.
    case refused(errno: CInt)
  }
}

extension RunLoop.PortError {
  /// What the kernel says where a socket is made.
  init(_ error: KernelError) {
    switch error {
    case .tooManyOpen, .tooManyOpenInSystem, .noMemory, .noBuffers:
      self = .noDescriptorLeft(errno: error.number)
    default: self = .refused(errno: error.number)
    }
  }

  init(_ error: KernelError, at address: RunLoop.PortAddress) {
    switch error {
    case .addressInUse: self = .addressInUse(address)
    case .connectionRefused, .notThere, .notAFolder, .wrongKind: self = .nobodyListens(address)
    case .wouldBlock: self = .busy(address)
    case .nameTooLong: self = .badAddress(address)
    case .accessDenied, .notPermitted: self = .notPermitted(address)
    default: self = Self(error)
    }
  }
}

extension RunLoop.PortError: CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .addressInUse(let address): "\(address) is taken"
    case .nobodyListens(let address): "nobody listens at \(address)"
    case .busy(let address): "too many wait to be let in at \(address)"
    case .badAddress(let address):
      "\(address) can be no address: it is to have 1 to 107 bytes, none of them zero"
    case .notPermitted(let address): "this user may not use \(address)"
    case .folderOpenToOthers(let path): "others may change what is in \(path)"
    case .wrongPeer(let peer): "\(peer) is not admitted"
    case .notAPort(let number): "descriptor \(number) is not a socket of AF_UNIX and SOCK_SEQPACKET"
    case .noDescriptorLeft(let number): "no descriptor left: \(KernelError(number))"
    case .refused(let number): "the kernel refuses: \(KernelError(number))"
    }
  }
}
