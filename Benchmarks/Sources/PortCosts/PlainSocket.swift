import Glibc
import Mainspring

/// The floor: one call to send, one to receive, and where asked one to wait.
final class PlainSocket {
  private let number: CInt
  private let waits: Bool
  private var buffer = [UInt8](repeating: 0, count: 100_000)

  init(_ end: consuming RunLoop.PortEnd, waits: Bool) {
    number = end.release().release()
    self.waits = waits
    if !waits { _ = fcntl(number, F_SETFL, 0) }
  }

  deinit { close(number) }

  /// The length of the next message, 0 at the end.
  private func receive() -> Int {
    if waits {
      var wanted = pollfd(fd: number, events: CShort(POLLIN), revents: 0)
      unsafe poll(&wanted, 1, -1)
    }
    let count = unsafe recv(number, &buffer, buffer.count, 0)
    return max(count, 0)
  }

  private func send(_ count: Int) {
    let sent = unsafe Glibc.send(number, buffer, count, 0)
    precondition(sent == count, "not sent: \(errno)")
  }

  func answer() {
    while case let count = receive(), count > 0 { send(count) }
  }

  func take(_ count: Int) {
    for _ in 0..<count { _ = receive() }
    send(1)
  }

  func ask(_ size: Int, _ count: Int) -> UInt64 {
    send(size)
    _ = receive()
    let begin = now()
    for _ in 0..<count {
      send(size)
      _ = receive()
    }
    return begin
  }

  func send(_ size: Int, _ count: Int) -> UInt64 {
    let begin = now()
    for _ in 0..<count { send(size) }
    _ = receive()
    return begin
  }
}
