import CLinuxKernel
import Glibc

/// Sockets between processes of this machine whose messages keep their bounds (AF_UNIX, SOCK_SEQPACKET), by their numbers:
/// closed by exec, never blocking, and telling of each message who sent it. What returns a number gives it away.
package enum PacketSocket {
  /// The most descriptors that a packet brings.
  package static let descriptorCountMax = Int(MS_PACKET_DESCRIPTORS)

  /// The most bytes of a name: those of a `sockaddr_un`, but for the zero that ends a path or begins an abstract name.
  package static let nameLengthMax = 107

  package static func pair() throws(KernelError) -> (CInt, CInt) {
    var ends: [CInt] = [0, 0]
    // SAFETY: writes two numbers into an array of two.
    _ = try checked(unsafe ms_packet_pair(&ends))
    return (ends[0], ends[1])
  }

  /// Makes a socket of whomever one of these; throws `.wrongKind` if it is none.
  package static func prepare(_ number: CInt) throws(KernelError) {
    _ = try checked(ms_packet_prepare(number))
  }

  /// - Parameter mode: of the file, less the umask; abstract names have none.
  package static func listen(_ name: String, isAbstract: Bool, mode: UInt32) throws(KernelError) -> CInt {
    // SAFETY: reads as many bytes as the name has.
    try checked(unsafe ms_packet_listen(name, name.utf8.count, isAbstract ? 1 : 0, mode))
  }

  package static func connect(_ name: String, isAbstract: Bool) throws(KernelError) -> CInt {
    // SAFETY: reads as many bytes as the name has.
    try checked(unsafe ms_packet_connect(name, name.utf8.count, isAbstract ? 1 : 0))
  }

  package static func accept(_ listener: CInt) throws(KernelError) -> CInt {
    try checked(ms_packet_accept(listener))
  }

  /// Who had the other end when the two were connected.
  package static func peer(of number: CInt) throws(KernelError) -> PacketSender {
    var sender = ms_sender()
    // SAFETY: writes one value, which outlives the call.
    _ = try checked(unsafe ms_packet_peer(number, &sender))
    return PacketSender(sender)
  }

  /// Sends one packet whole, or throws.
  package static func send(_ bytes: [UInt8], passing descriptors: [CInt], to number: CInt) throws(KernelError)
  {
    // SAFETY: reads both arrays' lengths; neither changes meanwhile.
    let sent = unsafe ms_packet_send(number, bytes, bytes.count, descriptors, descriptors.count)
    if sent < 0 { throw KernelError(CInt(-sent)) }
  }

  /// Another descriptor of the same file, closed by exec.
  package static func duplicate(_ number: CInt) throws(KernelError) -> CInt {
    let made = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard made >= 0 else { throw .current }
    return made
  }

  /// Closes a descriptor that nobody owns by a type.
  package static func close(_ number: CInt) { _ = Glibc.close(number) }

  private static func checked(_ answer: CInt) throws(KernelError) -> CInt {
    guard answer >= 0 else { throw KernelError(-answer) }
    return answer
  }
}

/// Who sent a packet.
package struct PacketSender: Sendable, Hashable {
  package let process: CInt
  package let user: UInt32
  package let group: UInt32

  init(_ sender: ms_sender) { (process, user, group) = (sender.process, sender.user, sender.group) }

  package init(process: CInt, user: UInt32, group: UInt32) {
    (self.process, self.user, self.group) = (process, user, group)
  }

  /// This process, as others are told of it.
  package static var own: PacketSender { PacketSender(process: getpid(), user: getuid(), group: getgid()) }

  /// Whether it is the user that this process is, or acts for.
  package var isSameUser: Bool { user == geteuid() || user == getuid() }
}

extension KernelError {
  /// There is no room, or nothing to take, for now (EAGAIN).
  package static let wouldBlock = KernelError(EAGAIN)
  /// The other side has gone (EPIPE).
  package static let brokenPipe = KernelError(EPIPE)
  /// The other side has gone, and left unread what was sent to it (ECONNRESET).
  package static let connectionReset = KernelError(ECONNRESET)
  /// Nobody is at the other end (ENOTCONN).
  package static let notConnected = KernelError(ENOTCONN)
  /// Nobody listens there (ECONNREFUSED).
  package static let connectionRefused = KernelError(ECONNREFUSED)
  /// Who connected has gone before it was let in (ECONNABORTED).
  package static let connectionAborted = KernelError(ECONNABORTED)
  /// Somebody has the address (EADDRINUSE).
  package static let addressInUse = KernelError(EADDRINUSE)
  /// A socket is of another kind (EPROTOTYPE).
  package static let wrongKind = KernelError(EPROTOTYPE)
  /// Not a socket (ENOTSOCK).
  package static let notASocket = KernelError(ENOTSOCK)
  /// A message is longer than the kernel passes on (EMSGSIZE).
  package static let messageTooLong = KernelError(EMSGSIZE)
  /// A name is too long (ENAMETOOLONG).
  package static let nameTooLong = KernelError(ENAMETOOLONG)
  /// No memory for a message (ENOBUFS).
  package static let noBuffers = KernelError(ENOBUFS)
  /// More descriptors are on their way than the user may have sent (ETOOMANYREFS).
  package static let tooManyPassed = KernelError(ETOOMANYREFS)
}
