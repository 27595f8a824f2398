/// Takes reports from the archive to somewhere else: what ``StallMonitor/Configuration/delivery`` holds.
///
/// The monitor tells it what there is; when and how to send is its own affair, on threads of its own. A delivery is given to
/// one monitor.
public protocol ReportDelivery: Sendable {
  /// The archive is ready, what a former process left in it included. Once, on the monitor's thread for reports, before the
  /// other calls; it must not block.
  func start(_ archive: ReportArchive)

  /// A report has been stored, or a later state of one. On the monitor's thread for reports; it must not block.
  ///
  /// - Parameter isUrgent: the stall goes on and has reached the last of the severe thresholds, so that the process may
  ///   soon be no more: its report is among those that can be sent.
  func reportsStored(isUrgent: Bool)

  /// The monitor stops: the last chance to send. Once, and last of all, on the monitor's thread for reports.
  ///
  /// - Parameter limit: what is left of the time that the caller of ``StallMonitor/stop(waitingFor:)`` gives; zero where
  ///   the monitor was just let go of.
  /// - Returns: whether everything was sent. What was not stays in the archive, for the next start.
  @discardableResult
  func finish(within limit: Duration) -> Bool
}
