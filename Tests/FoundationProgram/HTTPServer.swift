import Glibc
import Mainspring

/// Answers every request with "hello", on a loop's thread, and is no more of HTTP than that takes.
enum HTTPServer {
  struct Failure: Error { let errno: CInt }

  /// Listens on the loopback; returns the port.
  static func listen(on loop: Loop) throws -> UInt16 {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: an address of this family begins as one of any does, and outlives the calls.
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, length) == 0 && Glibc.listen(listener, 8) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard result else { throw Failure(errno: errno) }
    try loop.add(Loop.DescriptorSource(listener) { source, _ in accepted(by: source, on: loop) }, to: .common)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func accepted(by source: Loop.DescriptorSource, on loop: Loop) {
    let connection = accept(source.descriptor, nil, nil)
    guard connection >= 0 else { return }
    try? loop.add(Loop.DescriptorSource(connection) { source, _ in answer(source) }, to: .common)
  }

  /// A request of a client's that sends no body comes in one piece, on the loopback.
  private static func answer(_ source: Loop.DescriptorSource) {
    var request = [UInt8](repeating: 0, count: 4096)
    // SAFETY: reads at most the array's length into the array.
    let count = unsafe read(source.descriptor, &request, request.count)
    guard count > 0 else {
      source.invalidate()
      close(source.descriptor)
      return
    }
    let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
    // SAFETY: writes the array's bytes.
    _ = unsafe write(source.descriptor, answer, answer.count)
  }
}
