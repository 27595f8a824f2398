import Testing

@testable import StallMonitor

@Suite struct ConfigurationTests {
  private final class Nowhere: ReportDelivery {
    func start(_ archive: ReportArchive) {}
    func reportsStored(isUrgent: Bool) {}
    func finish(within limit: Duration) -> Bool { true }
  }

  @Test func `what is set at first is allowed`() throws {
    try StallMonitor.Configuration().check()
  }

  private typealias Change = @Sendable (inout StallMonitor.Configuration) -> Void

  private static let changes: [(name: String, change: Change)] = [
    ("limits.perMinute", { $0.limits?.perMinute = 0 }), ("limits.perDay", { $0.limits?.perDay = -1 }),
    ("limits.perIssueAndDay", { $0.limits?.perIssueAndDay = 0 }),
    ("retention.age", { $0.retention.age = .zero }),
    ("retention.byteCountMax", { $0.retention.byteCountMax = 0 }),
    ("retention.reportCountMax", { $0.retention.reportCountMax = 0 }),
    ("samplingRate", { $0.samplingRate = 1.01 }), ("samplingRate", { $0.samplingRate = -0.1 }),
    ("samplingRate", { $0.samplingRate = .nan }), ("delivery", { $0.delivery = Nowhere() }),
  ]

  @Test func `a setting out of its bounds is refused by name`() {
    for (name, change) in Self.changes {
      var configuration = StallMonitor.Configuration()
      change(&configuration)
      #expect {
        try configuration.check()
      } throws: { error in
        guard case StallMonitor.StartError.setting(name, _) = error else { return false }
        return "\(error)".hasPrefix(name + " ")
      }
    }
  }
}
