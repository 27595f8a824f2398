internal import CCurl
import Mainspring

/// libcurl's transfers on a run loop: its sockets are descriptor sources, its time-outs one timer.
///
/// Everything belongs to the loop's thread; no call waits.
@safe final class Curl: @unchecked Sendable {
  // Sendable: made, used and let go of on the loop's thread alone; what other threads hold is only a reference.
  private let multi: OpaquePointer
  private let loop: RunLoop
  private var sources: [CInt: RunLoop.DescriptorSource] = [:]
  private var requests: [UInt: Request] = [:]
  private var timer: RunLoop.Timer?

  /// libcurl as a whole, once a process; nil where it is of no use.
  private static let isUsable = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Nil where libcurl cannot be used. On the loop's thread.
  init?(on loop: RunLoop) {
    guard Self.isUsable, let multi = unsafe curl_multi_init() else { return nil }
    unsafe self.multi = OpaquePointer(multi)
    self.loop = loop
    // SAFETY: the callbacks run on this thread, within calls of this object's, which unsets them before it goes.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe curl_multi_set_socket_call(
      multi,
      { _, socket, what, context, _ in
        let curl = unsafe Unmanaged<Curl>.fromOpaque(context!).takeUnretainedValue()
        curl.watch(socket, for: what)
        return 0
      }, context)
    unsafe curl_multi_set_timer_call(
      multi,
      { _, milliseconds, context in
        let curl = unsafe Unmanaged<Curl>.fromOpaque(context!).takeUnretainedValue()
        curl.timer?.setFireDate(milliseconds < 0 ? nil : .now.advanced(by: .milliseconds(milliseconds)))
        return 0
      }, context)
    let timer = RunLoop.Timer(rearmable: ()) { [weak self] _ in
      self?.act(on: CURL_SOCKET_TIMEOUT, events: 0)
    }
    loop.add(timer, to: .common)
    self.timer = timer
  }

  deinit {
    // Callers end their requests first; what is left is let go of without a word.
    for request in requests.values {
      unsafe curl_multi_remove_handle(UnsafeMutableRawPointer(multi), request.handle)
    }
    unsafe curl_multi_set_timer_call(UnsafeMutableRawPointer(multi), nil, nil)
    unsafe curl_multi_cleanup(UnsafeMutableRawPointer(multi))
    for source in sources.values { source.invalidate() }
    timer?.invalidate()
  }

  /// Begins a request. Its `done` is called once, later, on the loop's thread, unless it is cancelled.
  func begin(_ request: Request) {
    unsafe requests[UInt(bitPattern: request.handle)] = request
    unsafe curl_multi_add_handle(UnsafeMutableRawPointer(multi), request.handle)
  }

  /// Ends a request at once; its `done` is not called.
  func cancel(_ request: Request) {
    guard unsafe requests.removeValue(forKey: UInt(bitPattern: request.handle)) != nil else { return }
    unsafe curl_multi_remove_handle(UnsafeMutableRawPointer(multi), request.handle)
  }

  private func watch(_ socket: CInt, for what: CInt) {
    // libcurl may close the socket at once after it has said so, and open another of the same number.
    if what == CURL_POLL_REMOVE {
      sources.removeValue(forKey: socket)?.invalidate()
      return
    }
    var interest: RunLoop.Readiness = []
    if what == CURL_POLL_IN || what == CURL_POLL_INOUT { interest.insert(.read) }
    if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { interest.insert(.write) }
    if let source = sources[socket] {
      source.interest = interest
      return
    }
    let source = RunLoop.DescriptorSource(socket, interest: interest) { [weak self] _, readiness in
      var events: CInt = 0
      if readiness.contains(.read) { events |= CURL_CSELECT_IN }
      if readiness.contains(.write) { events |= CURL_CSELECT_OUT }
      if !readiness.isDisjoint(with: [.error, .hangUp]) { events |= CURL_CSELECT_ERR }
      self?.act(on: socket, events: events)
    }
    // A socket that cannot be waited for is left to the time-outs.
    guard (try? loop.add(source, to: .common)) != nil else { return }
    sources[socket] = source
  }

  private func act(on socket: CInt, events: CInt) {
    var running: CInt = 0
    unsafe curl_multi_socket_action(UnsafeMutableRawPointer(multi), socket, events, &running)
    takeFinished()
  }

  private func takeFinished() {
    var left: CInt = 0
    // SAFETY: a message is valid until the next call; what is needed of it is read before.
    while let message = unsafe curl_multi_info_read(UnsafeMutableRawPointer(multi), &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
        continue
      }
      let result = unsafe message.pointee.data.result
      guard let request = requests.removeValue(forKey: UInt(bitPattern: handle)) else { continue }
      unsafe curl_multi_remove_handle(UnsafeMutableRawPointer(multi), handle)
      request.finish(with: result)
    }
  }
}
