import Glibc
import LinuxKernel
import Mainspring
import MainspringPorts

typealias TextPort = RunLoop.PeerPort<String, String>

/// What ports were told, in words.
extension Record<String> {
  func note(_ event: TextPort.Event) {
    switch event {
    case .message(let delivery): add(delivery.message)
    case .refused(let refusal): add("refused: \(refusal)")
    case .closed(let closing): add("closed: \(closing.reason), \(closing.unsentCount) unsent")
    }
  }
}

/// A port in a loop's default mode, and the other end of its connection as a socket that speaks whatever a test writes.
final class PeerStage {
  let port: TextPort
  let seen = Record<String>()
  private(set) var number: CInt

  init(
    _ loop: RunLoop, sizeLimit: Int = 65536, capacity: Int = 64, admitted: RunLoop.PeerPolicy = .anyone
  ) throws {
    var pair = try RunLoop.PortEnd.makePair()
    pair.one.admitted = admitted
    let seen = seen
    port = TextPort(pair.one, sizeLimit: sizeLimit, capacity: capacity) { _, event in seen.note(event) }
    number = pair.other.release().release()
    try loop.add(port, to: .default)
  }

  /// Writes a packet; says whether there was room.
  @discardableResult
  func write(_ bytes: [UInt8], passing numbers: [CInt] = []) -> Bool {
    (try? PacketSocket.send(bytes, passing: numbers, to: number)) != nil
  }

  /// Writes a message of this text.
  func writeMessage(_ text: String, passing numbers: [CInt] = []) {
    write([1, 1, 0x78, UInt8(text.utf8.count)] + text.utf8, passing: numbers)
  }

  /// The next packet that the port has sent; nil if none is there.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 300_000)
    // SAFETY: writes at most the array's length.
    let count = unsafe recv(number, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// Closes the other end.
  func hangUp() {
    if number >= 0 { close(number) }
    number = -1
  }

  deinit { hangUp() }
}

extension PeerStage {
  /// Writes a packet with more descriptors than the loop's own calls pass, each of them the standard input.
  func writeWithoutLimit(_ bytes: [UInt8], descriptorCount: Int) {
    let headerCount = MemoryLayout<cmsghdr>.size
    var control = [UInt8](repeating: 0, count: headerCount + descriptorCount * 4)
    var bytes = bytes
    // SAFETY: the arrays outlive the call, which reads as much of them as it is told.
    unsafe control.withUnsafeMutableBytes { control in
      var header = cmsghdr()
      header.cmsg_len = headerCount + descriptorCount * 4
      (header.cmsg_level, header.cmsg_type) = (SOL_SOCKET, CInt(SCM_RIGHTS))
      unsafe control.storeBytes(of: header, as: cmsghdr.self)
      unsafe bytes.withUnsafeMutableBytes { bytes in
        var piece = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        unsafe withUnsafeMutablePointer(to: &piece) { piece in
          var message = unsafe msghdr()
          unsafe message.msg_iov = piece
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = control.count
          precondition(unsafe sendmsg(number, &message, 0) == bytes.count, "no packet to be sent: \(errno)")
        }
      }
    }
  }
}
