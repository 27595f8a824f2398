public import StallReport

extension StallMonitor {
  /// What a monitor is to look for and where its reports go.
  public struct Configuration: Sendable {
    /// A pass that lasts so long is a stall. At least 20 ms. Ten times as long under a sanitizer or Valgrind, as are the
    /// other thresholds.
    public var threshold: Duration = .milliseconds(250)
    /// A pass before the loop's first wait is a stall only if it lasts so long; nil asks no more of it than of others.
    public var launchThreshold: Duration?
    /// A pass that would not be a stall had its thread not had to wait for a processor is the host's fault, and told as
    /// starvation if it lasts so long; nil tells none. At least `threshold`, which it is at first.
    public var starvationThreshold: Duration? = .zero
    /// A loop that makes passes for so long without once having nothing to do is told to be saturated; nil tells none.
    public var saturationThreshold: Duration? = .seconds(2)
    /// When a stall has lasted so long, the stacks of all threads are taken, and the report is handed out anew, still as
    /// `ongoing`.
    public var severeThresholds: [Duration] = [.seconds(2), .seconds(8)]
    /// The folder that reports are written to, made if it is not there, also if it is taken away later; nil writes none.
    /// A relative path starts where the process is when the monitor starts.
    public var folder: String?
    /// The program's name and version, as reports give them. The name is the executable's if it is not set.
    public var programName: String?
    public var programVersion: String?
    /// Reports also while a debugger is attached, which stops threads for as long as it likes.
    public var reportsWhenDebugged = false
    /// Called on a thread of the monitor's for each stall: when it passes the threshold, with the state `ongoing`, again
    /// when more of it is known (`severeThresholds`, a deadlock), and when it is over, with the same identifier and the
    /// state `recovered`. The first ones are left out where the last is
    /// there before they were called; a stall that the monitor is stopped in stays `ongoing`.
    public var onReport: (@Sendable (Report) -> Void)?
    /// Called on a thread of the monitor's when a report could not be written; the program goes on.
    public var onFailure: (@Sendable (String) -> Void)?

    public init() {}

    /// The shortest threshold: below it the monitor would be as busy as what it watches.
    public static let thresholdMin = Duration.milliseconds(20)
  }

  /// Why a monitor could not be started.
  public enum StartError: Error, Sendable, Equatable {
    /// The threshold is shorter than `Configuration.thresholdMin`.
    case thresholdTooShort(Duration)
    /// The folder for reports cannot be made or written to.
    case folder(String, reason: String)
    /// Threads cannot be sampled here, or no thread could be made.
    case system(reason: String)
  }
}

extension StallMonitor.StartError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .thresholdTooShort(let threshold):
      "a threshold of \(threshold) is too short; the shortest is \(StallMonitor.Configuration.thresholdMin)"
    case .folder(let path, let reason): "reports cannot be kept in \(path): \(reason)"
    case .system(let reason): "the monitor cannot start: \(reason)"
    }
  }
}
