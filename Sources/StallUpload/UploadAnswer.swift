/// What becomes of the reports of a batch, by what the server answered.
enum UploadAnswer: Sendable, Equatable {
  /// They are kept there.
  case accepted
  /// They are too much at once.
  case tooLarge
  /// It will never take one of them.
  case refused(reason: String)
  /// It takes nothing of ours: the address or the token is wrong, and somebody has to mend that.
  case unwelcome(reason: String)
  /// It cannot take them now, and asks not to be asked before so long.
  case later(after: Duration?, reason: String)

  /// The meaning of a status of HTTP.
  ///
  /// - Parameters:
  ///   - status: 0 if none came.
  ///   - problem: what went wrong on the way, if none came.
  ///   - retryAfter: what the server said of when to come again.
  init(status: Int, problem: String = "", retryAfter: Duration? = nil) {
    switch status {
    case 0: self = .later(after: nil, reason: problem)
    case 200...299: self = .accepted
    case 413: self = .tooLarge
    case 400, 415, 422: self = .refused(reason: "status \(status)")
    // Another server than was meant is never given the token.
    case 300...399: self = .unwelcome(reason: "status \(status): the address has moved")
    case 401, 403, 407: self = .unwelcome(reason: "status \(status): the token is missing or wrong")
    case 408, 425, 429, 500...: self = .later(after: retryAfter, reason: "status \(status)")
    default: self = .unwelcome(reason: "status \(status): nothing takes reports at this address")
    }
  }
}
