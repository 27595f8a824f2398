import CForeignLoops
public import Mainspring

/// Transfers by libcurl, any number at once: sockets that come and go, and one date.
///
/// Used on the loop's thread alone.
@safe public final class CurlTransfers: @unchecked Sendable {
  // Sendable: used on one thread. SAFETY: the multi handle is cleaned up by the end of this object.
  private let multi: UnsafeMutableRawPointer
  private var sockets: [Int32: RunLoop.Readiness] = [:]
  private var date: RunLoop.Instant?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = unsafe [:]

  private final class Transfer {
    var body: [UInt8] = []
    let onEnd: (_ code: UInt32, _ body: [UInt8]) -> Void
    init(_ onEnd: @escaping (UInt32, [UInt8]) -> Void) { self.onEnd = onEnd }
  }

  public init() {
    unsafe multi = curl_multi_init()
    unsafe curl_call_back(
      multi,
      { _, socket, what, data, _ in
        unsafe CurlTransfers.of(data).sockets[socket] = CurlTransfers.readiness(what)
        return 0
      },
      { _, milliseconds, data in
        unsafe CurlTransfers.of(data).date =
          milliseconds < 0 ? nil : .now.advanced(by: .milliseconds(milliseconds))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    unsafe transfers.keys.forEach { transfer in
      unsafe curl_multi_remove_handle(multi, transfer)
      unsafe curl_easy_cleanup(transfer)
    }
    unsafe curl_multi_cleanup(multi)
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> CurlTransfers {
    unsafe Unmanaged<CurlTransfers>.fromOpaque(data!).takeUnretainedValue()
  }

  private static func readiness(_ what: Int32) -> RunLoop.Readiness? {
    switch what {
    case CURL_POLL_IN: .read
    case CURL_POLL_OUT: .write
    case CURL_POLL_INOUT: [.read, .write]
    default: nil
    }
  }

  /// Begins a transfer; `onEnd` is called with libcurl's code, 0 for success, and what has come.
  public func get(_ address: String, onEnd: @escaping (_ code: UInt32, _ body: [UInt8]) -> Void) {
    let transfer = Transfer(onEnd)
    let handle = unsafe curl_easy_init()!
    unsafe curl_prepare(handle, address, Unmanaged.passUnretained(transfer).toOpaque()) {
      bytes, size, count, data in
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(data!).takeUnretainedValue()
      unsafe transfer.body.append(
        contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
      return size * count
    }
    unsafe transfers[handle] = transfer
    unsafe curl_multi_add_handle(multi, handle)
  }

  /// The transfers as an item.
  public func hosted() -> RunLoop.HostedLoop {
    RunLoop.HostedLoop { wait in
      for (socket, readiness) in self.sockets { wait.watch(socket, for: readiness) }
      if let date = self.date { wait.end(at: date) }
    } dispatch: { _, ready in
      for socket in ready { self.act(on: socket.descriptor, socket.readiness) }
      if let date = self.date, date <= .now {
        self.date = nil
        self.act(on: socketOfTimeouts, [])
      }
      self.tellEnds()
    }
  }

  private func act(on socket: Int32, _ readiness: RunLoop.Readiness) {
    var running: Int32 = 0
    var bits: Int32 = 0
    if readiness.contains(.read) { bits |= CURL_CSELECT_IN }
    if readiness.contains(.write) { bits |= CURL_CSELECT_OUT }
    if !readiness.isDisjoint(with: [.error, .hangUp, .closed]) { bits |= CURL_CSELECT_ERR }
    unsafe curl_multi_socket_action(multi, socket, bits, &running)
  }

  private func tellEnds() {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
        continue
      }
      let code = unsafe message.pointee.data.result.rawValue
      unsafe curl_multi_remove_handle(multi, handle)
      unsafe curl_easy_cleanup(handle)
      if let transfer = unsafe transfers.removeValue(forKey: handle) { transfer.onEnd(code, transfer.body) }
    }
  }
}

/// libcurl's CURL_SOCKET_TIMEOUT, a macro that Swift does not see.
private let socketOfTimeouts: Int32 = -1
