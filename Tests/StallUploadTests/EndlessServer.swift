import Glibc
import LinuxKernel

/// Takes one connection, and answers by a good status and bytes without end.
final class EndlessServer: Sendable {
  let port: UInt16
  private let thread: JoinableThread
  private let total: Total

  private final class Total: Sendable {
    let bytes = Locked(0)
  }

  init() throws {
    let (listener, total) = (try Listener(), Total())
    (port, self.total) = (listener.port, total)
    thread = try JoinableThread(named: "endless", stackBytes: nil, signals: .blocked) {
      let connection = accept(listener.number, nil, nil)
      guard connection >= 0 else { return }
      defer { close(connection) }
      var piece = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
      while true {
        // SAFETY: sends the array's bytes.
        let count = unsafe send(connection, piece, piece.count, CInt(MSG_NOSIGNAL))
        guard count > 0 else { return }
        total.bytes.withLock { $0 += count }
        piece = [UInt8](repeating: 0x20, count: 65_536)
      }
    }
  }

  /// Waits until the client has gone; gives how many bytes it and the kernel have taken.
  func finish() -> Int {
    thread.join()
    return total.bytes.withLock { $0 }
  }
}
