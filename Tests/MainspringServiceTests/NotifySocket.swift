import Glibc
import Testing

/// The socket of a supervisor: what services tell it, message by message.
final class NotifySocket {
  let name: String
  private let descriptor: CInt
  private let path: String?

  struct NoSocket: Error { let number: CInt }

  init(isAbstract: Bool = false) throws {
    let unique = "\(getpid())-\(UInt64.random(in: 0 ... .max))"
    path = isAbstract ? nil : "/tmp/notify-\(unique)"
    name = path ?? "@notify-\(unique)"
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if isAbstract { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
    let result = unsafe withUnsafePointer(to: &address) {
      unsafe bind(descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self), length)
    }
    guard result == 0 else { throw NoSocket(number: errno) }
  }

  deinit {
    close(descriptor)
    if let path { unsafe unlink(path) }
  }

  /// The next message's lines; waits for it.
  func next() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }
}
