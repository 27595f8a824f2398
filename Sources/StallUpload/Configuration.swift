internal import CCurl

extension StallUpload {
  /// Where reports are sent, and how.
  public struct Configuration: Sendable {
    /// The address that takes them: `https://stalls.example/api/reports`. http is for a network that can be trusted: the
    /// token would be readable on the way.
    public var address: String
    /// Sent as `Authorization: Bearer …`.
    public var token: String?
    /// The file with the certificates of authorities to trust, PEM; nil for the system's.
    public var certificates: String?
    /// How long a report waits for others to be sent with at most. Urgent ones do not wait.
    public var interval: Duration = .seconds(60)
    /// The most reports in one request.
    public var batchCountMax = 50
    /// The most bytes in one request, compressed; a report that is larger goes alone.
    public var batchBytesMax = 1 << 20
    /// How long to wait for a connection.
    public var connectTimeout: Duration = .seconds(10)
    /// How long a request may take as a whole.
    public var timeout: Duration = .seconds(60)
    /// Called on the upload's thread, with a line for people, when sending begins to fail, when it works again, and when
    /// the server will not have a report.
    public var onChange: (@Sendable (String) -> Void)?

    /// Reports go to this address.
    public init(address: String, token: String? = nil) {
      self.address = address
      self.token = token
    }
  }
}

extension StallUpload.Configuration {
  /// Throws what is wrong with it.
  func check() throws(StallUpload.ConfigurationError) {
    try checkAddress()
    if let token, !token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) || token.isEmpty { throw .token }
    func require(_ holds: Bool, _ what: String) throws(StallUpload.ConfigurationError) {
      if !holds { throw .bounds(what) }
    }
    try require(interval > .zero, "an interval of \(interval)")
    try require(batchCountMax > 0, "batches of \(batchCountMax) reports")
    try require(batchBytesMax > 0, "batches of \(batchBytesMax) bytes")
    try require(connectTimeout > .zero, "a time-out of \(connectTimeout) for connections")
    try require(timeout > .zero, "a time-out of \(timeout)")
  }

  private func checkAddress() throws(StallUpload.ConfigurationError) {
    // SAFETY: the parser is this call's own, and what it hands out is freed.
    guard let url = unsafe curl_url() else { throw .system(reason: "no memory") }
    defer { unsafe curl_url_cleanup(url) }
    let result = unsafe curl_url_set(url, CURLUPART_URL, address, 0)
    guard result == CURLUE_OK else {
      throw .address(address, reason: unsafe String(cString: curl_url_strerror(result)))
    }
    // It would stand in every line that names the address.
    var user: UnsafeMutablePointer<CChar>?
    if unsafe curl_url_get(url, CURLUPART_USER, &user, 0) == CURLUE_OK {
      unsafe curl_free(user)
      throw .address("…", reason: "there is a user in it; who sends is said by the token")
    }
    var scheme: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK, let scheme = unsafe scheme
    else {
      throw .address(address, reason: "it does not begin with https:// or http://")
    }
    defer { unsafe curl_free(scheme) }
    guard unsafe ["http", "https"].contains(String(cString: scheme)) else {
      throw .address(address, reason: "it does not begin with https:// or http://")
    }
  }
}
