import Glibc
import Mainspring

/// A server of pages of one size, on the same loop as those who ask for them.
final class LoopbackServer: @unchecked Sendable {
  // Sendable: used on the loop's thread alone.
  let port: UInt16
  private let listener: CInt
  private let loop: RunLoop
  private let page: [UInt8]
  private var connections: [CInt: (received: [UInt8], source: RunLoop.DescriptorSource)] = [:]
  private(set) var openMost = 0

  init(on loop: RunLoop, pageSize: Int) throws {
    self.loop = loop
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(pageSize)\r\nConnection: close\r\n\r\n"
    page = Array(head.utf8) + Array(repeating: UInt8(ascii: "x"), count: pageSize)
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: the calls read and write one address of that length.
    let listening = listener
    unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listening, $0, length)
        unsafe getsockname(listening, $0, &length)
      }
    }
    listen(listening, 256)
    port = UInt16(bigEndian: address.sin_port)
    try loop.add(RunLoop.DescriptorSource(listening) { _, _ in self.acceptAll() }, to: .common)
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      if connection < 0 { return }
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      let source = RunLoop.DescriptorSource(connection) { _, _ in self.receive(connection) }
      connections[connection] = ([], source)
      openMost = max(openMost, connections.count)
      try? loop.add(source, to: .common)
    }
  }

  private func receive(_ connection: CInt) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: not more bytes are read than the array has.
    let count = unsafe read(connection, &bytes, bytes.count)
    if count > 0 { connections[connection]?.received += bytes.prefix(count) }
    let isWhole = connections[connection]?.received.suffix(4) == Array("\r\n\r\n".utf8)[...]
    guard isWhole || count == 0 else { return }
    if isWhole { _ = unsafe send(connection, page, page.count, CInt(MSG_NOSIGNAL)) }
    connections.removeValue(forKey: connection)?.source.invalidate()
    close(connection)
  }
}
