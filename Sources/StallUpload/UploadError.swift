extension StallUpload {
  /// Why reports cannot be uploaded as configured.
  public enum ConfigurationError: Error, Sendable, Equatable {
    /// The address is none that can be sent to.
    case address(String, reason: String)
    /// The token has characters that cannot stand in a header.
    case token
    /// A span or size is out of its bounds; says which.
    case bounds(String)
    /// libcurl or a thread is not to be had.
    case system(reason: String)
  }
}

extension StallUpload.ConfigurationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .address(let address, let reason): "reports cannot be sent to '\(address)': \(reason)"
    case .token: "the token for the upload has characters other than those from '!' to '~'"
    case .bounds(let what): "the upload cannot work like this: \(what)"
    case .system(let reason): "the upload cannot start: \(reason)"
    }
  }
}
