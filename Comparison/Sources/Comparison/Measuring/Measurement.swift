import Glibc

/// What became of a scenario on one side.
struct Measurement: Sendable, Equatable {
  var facts: Facts
  var end: End
  /// The last line that the side's process wrote on standard error.
  var complaint = ""

  /// How the side's process ended.
  enum End: Sendable, Equatable {
    case returned
    case failed(code: CInt)
    case died(signal: CInt)
    /// It had not ended by then, and was killed.
    case overdue(Duration)
  }
}

extension Measurement.End: CustomStringConvertible {
  var description: String {
    switch self {
    case .returned: "returned"
    case .failed(let code): "failed with code \(code)"
    case .died(let signal): "died of \(Self.names[signal] ?? "signal \(signal)")"
    case .overdue(let limit): "did not return in \(Int(limit / .seconds(1))) s"
    }
  }

  private static let names: [CInt: String] = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS",
    SIGKILL: "SIGKILL",
  ]
}
