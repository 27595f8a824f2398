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
    /// Counts how long every pass of the watched loops takes, for `metricsText()`: some 30 ns a pass more.
    public var measuresLag = false
    /// The folder that reports are kept in, a folder a day, made if it is not there, also if it is taken away later; nil
    /// keeps none. A relative path starts where the process is when the monitor starts. Several processes may have the
    /// same: what one that was killed left unfinished, the next finishes.
    public var folder: String?
    /// Writes a file for people beside each report, too.
    public var writesText = true
    /// How long, and how much of, the folder is kept.
    public var retention = Retention()
    /// How many stalls are kept in full; of the others there are counts. Nil keeps every stall.
    public var limits: Limits? = Limits()
    /// The share of hosts, from 0 to 1, that keep reports on a day: chosen anew each day, the same for all processes of a
    /// host.
    public var samplingRate = 1.0
    /// What sends the reports of `folder` somewhere.
    public var delivery: (any ReportDelivery)?
    /// The program's name and version, as reports give them. The name is the executable's if it is not set.
    public var programName: String?
    public var programVersion: String?
    /// Reports also while a debugger is attached, which stops threads for as long as it likes.
    public var reportsWhenDebugged = false
    /// Called on a thread of the monitor's for each stall: when it passes the threshold, with the state `ongoing`, again
    /// when more of it is known (`severeThresholds`, a deadlock), and when it is over, with the same identifier and the
    /// state `recovered`. The first ones are left out where the last is
    /// there before they were called; a stall that the monitor is stopped in stays `ongoing`. It gets every stall: `limits`
    /// and `samplingRate` hold for the folder alone.
    public var onReport: (@Sendable (Report) -> Void)?
    /// Called on a thread of the monitor's with a line for who looks after the program, which goes on: when reports begin to
    /// be lost since the folder cannot be written to, and when it can be again; at the end, if stalls were only counted
    /// that no report tells of.
    public var onFailure: (@Sendable (String) -> Void)?

    public init() {}

    /// The shortest threshold: below it the monitor would be as busy as what it watches.
    public static let thresholdMin = Duration.milliseconds(20)
  }

  /// Why a monitor could not be started.
  public enum StartError: Error, Sendable, Equatable {
    /// The threshold is shorter than `Configuration.thresholdMin`.
    case thresholdTooShort(Duration)
    /// A setting is out of its bounds.
    case setting(String, reason: String)
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
    case .setting(let name, let reason): "\(name) \(reason)"
    case .folder(let path, let reason): "reports cannot be kept in \(path): \(reason)"
    case .system(let reason): "the monitor cannot start: \(reason)"
    }
  }
}

extension StallMonitor.Configuration {
  /// Throws if a monitor cannot work with it.
  func check() throws(StallMonitor.StartError) {
    guard threshold >= Self.thresholdMin else { throw .thresholdTooShort(threshold) }
    let limits = limits ?? Limits()
    let counts = [
      ("limits.perMinute", limits.perMinute), ("limits.perDay", limits.perDay),
      ("limits.perIssueAndDay", limits.perIssueAndDay), ("retention.byteCountMax", retention.byteCountMax),
      ("retention.reportCountMax", retention.reportCountMax),
    ]
    for (name, count) in counts where count < 1 {
      throw .setting(name, reason: "is \(count), which is below 1")
    }
    guard retention.age > .zero else {
      throw .setting("retention.age", reason: "is \(retention.age), which keeps nothing")
    }
    guard (0...1).contains(samplingRate) else {
      throw .setting("samplingRate", reason: "is \(samplingRate), which is not from 0 to 1")
    }
    if delivery != nil, folder == nil {
      throw .setting("delivery", reason: "has no folder to take reports from")
    }
  }
}
