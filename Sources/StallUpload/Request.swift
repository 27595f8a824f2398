internal import CCurl

/// One POST of a body. On the thread of the loop that carries it.
@safe final class Request {
  /// What came of it.
  struct Outcome: Sendable, Equatable {
    /// HTTP's, or 0 where no answer came.
    var status: Int
    /// When the server wants to be asked again.
    var retryAfter: Duration?
    /// What went wrong on the way; empty if an answer came.
    var problem: String
  }

  let handle: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  private let done: (Outcome) -> Void

  /// A request that is ready to be begun; nil if libcurl has no memory for it.
  init?(_ configuration: StallUpload.Configuration, body: [UInt8], done: @escaping (Outcome) -> Void) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    self.done = done
    unsafe headers = Self.headers(configuration)
    unsafe curl_set_string(handle, CURLOPT_URL, configuration.address)
    unsafe curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    unsafe curl_set_long(handle, CURLOPT_POST, 1)
    // The size first: without it the copy would end at the first zero.
    unsafe curl_set_large(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count))
    // SAFETY: libcurl copies so many bytes before it returns.
    unsafe body.withUnsafeBytes { bytes in
      _ = unsafe curl_set_pointer(
        handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
    // What the server writes is of no interest beyond its status.
    unsafe curl_set_data_call(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    setLimits(configuration)
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(headers)
  }

  private static func headers(_ configuration: StallUpload.Configuration) -> UnsafeMutablePointer<curl_slist>?
  {
    var lines = [
      "Content-Type: application/x-ndjson", "Content-Encoding: gzip", "Accept: application/json",
      // No asking whether a body is welcome: it is small.
      "Expect:",
    ]
    if let token = configuration.token { lines.append("Authorization: Bearer \(token)") }
    return unsafe lines.reduce(nil) { list, line in unsafe curl_slist_append(list, line) ?? list }
  }

  private func setLimits(_ configuration: StallUpload.Configuration) {
    // No signals from libcurl, and none of its own handlers.
    unsafe curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    unsafe curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    // A redirection would carry the token elsewhere.
    unsafe curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
    unsafe curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, configuration.connectTimeout.wholeMilliseconds)
    unsafe curl_set_long(handle, CURLOPT_TIMEOUT_MS, configuration.timeout.wholeMilliseconds)
    // An answer is a few bytes; one without end is not to take the machine's network until the time-out.
    unsafe curl_set_large(handle, CURLOPT_MAX_RECV_SPEED_LARGE, 64 << 10)
    unsafe curl_set_string(handle, CURLOPT_USERAGENT, "mainspring")
    if let file = configuration.certificates { unsafe curl_set_string(handle, CURLOPT_CAINFO, file) }
  }

  /// Reads what came of it and tells.
  func finish(with result: CURLcode) {
    var status = 0
    if result == CURLE_OK { unsafe curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status) }
    var seconds: curl_off_t = 0
    unsafe curl_get_large(handle, CURLINFO_RETRY_AFTER, &seconds)
    // SAFETY: a constant text of libcurl's.
    let problem = unsafe result == CURLE_OK ? "" : String(cString: curl_easy_strerror(result))
    done(
      Outcome(
        status: status, retryAfter: seconds > 0 ? .seconds(min(seconds, 1 << 31)) : nil, problem: problem))
  }
}

extension Duration {
  /// Rounded down, at least one where there is something.
  var wholeMilliseconds: Int {
    self <= .zero ? 0 : Int(clamping: max(1, attoseconds / 1_000_000_000_000_000))
  }
}
